/**
 * The environment as one validated class. `process.env` is read here and nowhere else.
 *
 * `loadSettings()` reports all faults at once as a `SettingsError`; the entries print it and exit with 78
 * (EX_CONFIG). Outside production the four secrets are made once and kept under DATA_DIR with mode 600.
 */
export { loadSettings, SettingsError, EXIT_CONFIG } from './load-settings';
export { Settings } from './settings';
