/**
 * What tests of every size share: a migrated database each (cloned from a template, embedded or on the server
 * of DATABASE_URL), a counter of the queries that a request costs, a check of answers against openapi.json,
 * a clock to set, a measure of how time grows with a text, and stand-ins for the other side of the internet that speak its protocols.
 */
export { FaultProxy } from './fault-proxy';
export { FakeClock } from './fake-clock';
export { queriesOf } from './query-counter';
export { type Document, ResponseCheck } from './response-check';
export { SmtpServer, type ReceivedMail } from './smtp-server';
export { type Growth, growthOf } from './linear-time';
export { createTestDatabase, onServer, TEMPLATE, type TestDatabase } from './test-database';
export { eventually } from './eventually';
export { recordSecret, testLogFile } from './test-logs';
