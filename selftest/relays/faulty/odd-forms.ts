/** Relays that refuse legal but unusual forms of a stream, or lose text in them. */
import { readInspected, refuseEvents, refuseText } from '../misread-events.ts';
import { readRelayEvents } from '../read-events.ts';
import { type FaultyRelay, faultyRelay } from '../relay-modifier.ts';

export const ODD_FORM_RELAYS = {
  'relay-refuses-retry-blocks': faultyRelay('A block with nothing but a retry line is a failure', 'odd-forms', {
    readEvents: refuseText(/retry: \d+\n\n/),
  }),
  'relay-refuses-data-without-choices': faultyRelay('Data without choices is a failure', 'odd-forms', {
    readEvents: refuseEvents(
      ({ name, data }) => name === '' && data.startsWith('{') && !/"(?:choices|error)"/.test(data),
    ),
  }),
  'relay-one-data-line': faultyRelay('Only the last data line of a block is read', 'odd-forms', {
    async *readEvents(bytes) {
      for await (const { name, data } of readRelayEvents(bytes)) yield { name, data: data.split('\n').at(-1) ?? '' };
    },
  }),
  'relay-skips-bad-data': faultyRelay('Only the last data line of a block is read, and others are skipped', 'text', {
    async *readEvents(bytes) {
      for await (const { name, data } of readRelayEvents(bytes)) {
        const line = data.split('\n').at(-1) ?? '';
        if (/^\{.*\}$/.test(line) || line === '[DONE]') yield { name, data: line };
      }
    },
    trustsClose: true,
    trustsDone: true,
    only: ['plain', 'stream*'],
  }),
  'relay-drops-named-events': faultyRelay('The data of events with a name is lost', 'text', {
    async *readEvents(bytes) {
      for await (const event of readRelayEvents(bytes)) if (['', 'message', 'error'].includes(event.name)) yield event;
    },
    trustsClose: true,
    trustsDone: true,
    only: ['plain', 'stream*'],
  }),
  'relay-needs-done': faultyRelay('A stream without an end marker is a failure', 'odd-forms', {
    async *readEvents(bytes) {
      for await (const event of readRelayEvents(bytes)) {
        yield event;
        if (event.data === '[DONE]') return;
      }
      throw new Error('no end marker');
    },
  }),
  'relay-loses-cr-streams': faultyRelay('A stream with CR line ends becomes an empty reply', 'text', {
    // A CR that no LF follows.
    readEvents: readInspected(
      (text, event) => !/\r[^\n]/.test(text) || event?.data.includes('"finish_reason":"stop"') === true,
    ),
  }),
} satisfies Record<string, FaultyRelay>;
