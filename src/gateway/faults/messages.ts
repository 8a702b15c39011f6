/** Faults in which messages are answered and which are refused (part 2): their text, their roles and their order. */
import { isChat, isStream, letPass, refuseIf } from '../change.ts';
import type { Call } from '../call.ts';
import { isObject, itemsOf, type Json } from '../json.ts';
import { type Fault, fault } from '../modifier.ts';

const messagesOf = (call: Call): readonly Json[] => itemsOf(call.body['messages']);

const rolesOf = (call: Call): readonly unknown[] =>
  messagesOf(call).map((each) => (isObject(each) ? each['role'] : ''));

/** Some message has such a text. */
const says =
  (test: (text: string) => boolean) =>
  (call: Call): boolean =>
    messagesOf(call).some((message) => {
      const content = isObject(message) ? message['content'] : undefined;
      return typeof content === 'string' && test(content);
    });

const isSecond = (call: Call): boolean => messagesOf(call).length === 2;

export const MESSAGES_FAULTS = {
  'text-quote-refused': fault('Text with a quote is refused', 'message.any-text', {
    refuse: refuseIf(says((text) => text.includes('"'))),
  }),
  'text-backslash-refused': fault('Text with a backslash is refused', 'message.any-text', {
    refuse: refuseIf(says((text) => text.includes('\\'))),
  }),
  'text-line-break-refused': fault('Text with a line break is refused', 'message.any-text', {
    refuse: refuseIf(says((text) => text.includes('\n'))),
  }),
  'text-angle-bracket-refused': fault('Text with an angle bracket is refused', 'message.any-text', {
    refuse: refuseIf(says((text) => text.includes('<'))),
  }),
  'text-over-100-refused': fault('Text of more than 100 characters is refused', 'message.ordinary-length', {
    refuse: refuseIf(says((text) => text.length > 100)),
  }),
  'messages-assistant-last-refused': fault('A conversation that ends with the assistant is refused', 'message.roles', {
    refuse: refuseIf((call) => rolesOf(call).at(-1) === 'assistant'),
  }),
  'messages-system-alone-refused': fault('A system message alone is refused', 'message.roles', {
    refuse: refuseIf((call) => messagesOf(call).length > 0 && rolesOf(call).every((role) => role === 'system')),
  }),
  'messages-two-assistants-refused': fault('Two assistant messages in a row are refused', 'request.consecutive-roles', {
    refuse: refuseIf((call) => rolesOf(call).join(' ').includes('assistant assistant')),
  }),
  'messages-system-refused-in-streams': fault('A stream with a system message is refused', 'message.roles', {
    refuse: refuseIf((call) => isStream(call) && rolesOf(call).includes('system')),
  }),
  'messages-assistant-refused-in-streams': fault('A stream with an assistant message is refused', 'message.roles', {
    refuse: refuseIf((call) => isStream(call) && rolesOf(call).includes('assistant')),
  }),
  'messages-second-role-missing-accepted': fault('Only the first message needs a role', 'message.role-required', {
    only: isSecond,
    refusal: letPass('role-missing'),
  }),
  'messages-second-content-missing-accepted': fault(
    'Only the first message needs content',
    'message.content-required',
    {
      only: isSecond,
      refusal: letPass('content-missing'),
    },
  ),
  'messages-null-accepted': fault('A message that is null is answered', 'message.content-required', {
    only: (call) => isChat(call) && messagesOf(call)[0] === null,
    refusal: letPass('message-type'),
  }),
} satisfies Record<string, Fault>;
