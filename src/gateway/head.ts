/** The head of an answer as text, for answers that Node would not write. On its own, so that the registries load without a server. */
export function headOf(headers: Readonly<Record<string, string>>, status: number): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // The words behind the status mean nothing (RFC 9112, 4).
  return `HTTP/1.1 ${status} ${status < 400 ? 'OK' : 'Error'}\r\n${lines.join('')}\r\n`;
}
