/** The profile that the run was judged by: each change with its reason. */
import { inert } from '../../text/inert.ts';
import { formatProfile, listChanges } from '../profile-text.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { renderSection } from './parts.ts';
import type { View } from './view.ts';

export function renderProfile({ report: { profile } }: View): Markup {
  if (!profile) return NOTHING;
  return renderSection({
    id: 'profile',
    title: 'Profile',
    lead: html`Judged by ${inert(formatProfile(profile), 300)}.
    ${when(profile.about, (about) => html`${inert(about, 600)}`)}`,
    body: html`<ul>
        ${listChanges(profile).map(
          ({ what, why }) => html`<li><strong>${inert(what, 600)}</strong>. ${inert(why, 600)}</li>`,
        )}
      </ul>
      <p class="quiet">Digest <code class="hash">${inert(profile.digest, 64)}</code></p>`,
  });
}
