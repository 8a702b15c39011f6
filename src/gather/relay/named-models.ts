/** The models that the user names with `--upstream-model FRONT[=UPSTREAM]`. */
import type { Settings } from '../../settings.ts';

export interface NamedModel {
  readonly front: string;
  /** The name that it has at the upstream, if the user says so. */
  readonly upstream?: string;
}

export function namedModels({ relay: { upstreamModel } }: Pick<Settings, 'relay'>): readonly NamedModel[] {
  return upstreamModel.map((name) => {
    const [front = '', ...rest] = name.split('=');
    return rest.length === 0 ? { front } : { front, upstream: rest.join('=') };
  });
}

/** There is nothing to compare without a second model or a name upstream. */
export function canCompareModels(models: readonly NamedModel[]): boolean {
  return models.length > 1 || models.some(({ upstream }) => upstream !== undefined);
}
