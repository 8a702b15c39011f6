/** A header as a report has it: a secret value is withheld. */
export type DescribedHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly withheld: 'value'; readonly variable?: string };

/** Times in milliseconds, sizes in bytes. Possible secrets are withheld. */
export type DescribedSetting =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly DescribedHeader[]
  | { readonly withheld: 'login'; readonly shown: string }
  | { readonly withheld: 'address' | 'PEM text' };

/** The settings that differ from their defaults, by their path in `Settings`, such as `limits.depth`. */
export type DescribedSettings = Readonly<Record<string, DescribedSetting>>;
