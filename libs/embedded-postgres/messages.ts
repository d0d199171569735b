/** Frontend/backend protocol 3.0 messages: a type byte, an Int32 length that counts itself, a payload. */

export function encodeMessage(type: string, ...parts: (string | Buffer)[]): Buffer {
  const payload = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)),
  );
  const header = Buffer.alloc(5);
  header.write(type, 'latin1');
  header.writeInt32BE(payload.length + 4, 1);
  return Buffer.concat([header, payload]);
}

export function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

export const encodeQuery = (sql: string): Buffer => encodeMessage('Q', sql);

export const SYNC = encodeMessage('S');

export function encodeFatal(code: string, text: string): Buffer {
  return encodeMessage('E', 'SFATAL', 'VFATAL', `C${code}`, `M${text}`, Buffer.of(0));
}

export function encodeStartup(parameters: Record<string, string>): Buffer {
  const pairs = Object.entries(parameters)
    .flat()
    .map((text) => `${text}\0`)
    .join('');
  const payload = Buffer.from(`${pairs}\0`);
  return Buffer.concat([int32(payload.length + 8), int32(196_608), payload]);
}

export const messageType = (message: Buffer): string => String.fromCharCode(message[0] ?? 0);

export function* splitMessages(buffer: Buffer): Generator<Buffer> {
  for (let offset = 0; offset + 5 <= buffer.length;) {
    const end = offset + 1 + buffer.readInt32BE(offset + 1);
    yield buffer.subarray(offset, end);
    offset = end;
  }
}

/** The NUL-terminated string at `offset`. */
export function readText(message: Buffer, offset: number): string {
  return message.toString('utf8', offset, message.indexOf(0, offset));
}

const sqlOffset = (message: Buffer): number => (messageType(message) === 'P' ? message.indexOf(0, 5) + 1 : 5);

/** The SQL of a Query or Parse message. */
export const readSql = (message: Buffer): string => readText(message, sqlOffset(message));

export function replaceSql(message: Buffer, sql: string): Buffer {
  if (messageType(message) === 'Q') return encodeQuery(sql);
  const noParameterTypes = Buffer.alloc(2);
  return encodeMessage('P', message.subarray(5, sqlOffset(message)), sql, noParameterTypes);
}

/** Where a message names a prepared statement: Parse, Bind, and Describe or Close of a statement. */
function statementNameOffset(message: Buffer): number | null {
  switch (messageType(message)) {
    case 'P':
      return 5;
    case 'B':
      return message.indexOf(0, 5) + 1;
    case 'D':
    case 'C':
      return message[5] === 'S'.charCodeAt(0) ? 6 : null;
    default:
      return null;
  }
}

/** Puts a prefix before the name of a prepared statement; the unnamed one stays unnamed. */
export function prefixStatementName(message: Buffer, prefix: string): Buffer {
  const offset = statementNameOffset(message);
  if (offset === null || message[offset] === 0) return message;
  return encodeMessage(
    messageType(message),
    message.subarray(5, offset),
    Buffer.from(prefix),
    message.subarray(offset),
  );
}
