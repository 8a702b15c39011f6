/**
 * The text of a SARIF message. By sections 3.11.5 and 3.11.6 of the standard even a plain one has placeholders in
 * braces and links in brackets, so text that is neither writes the braces twice and the brackets with a backslash.
 */
export function messageText(text: string): string {
  return text.replaceAll(/[{}]/g, '$&$&').replaceAll(/[[\]]/g, String.raw`\$&`);
}
