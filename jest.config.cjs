// The tests run as compiled by `nest build`: what is tested is what is deployed, and the OpenAPI document is the
// one that the compiler's plug-in makes.
const databaseTests = [
  '<rootDir>/dist/**/*.db-spec.js',
  '<rootDir>/dist/test/(api|contract|security|fault)/**/*spec.js',
];

module.exports = {
  rootDir: __dirname,
  roots: ['<rootDir>/dist'],
  testMatch: process.env.TEST_ONLY_SERVICES
    ? databaseTests
    : ['<rootDir>/dist/**/*.spec.js', ...databaseTests],
  testEnvironment: 'node',
  transform: {},
  globalSetup: '<rootDir>/dist/test/support/global-setup.js',
  testTimeout: 30_000,
  maxWorkers: 2,
  workerIdleMemoryLimit: '1500MB',
};
