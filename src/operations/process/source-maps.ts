import * as modules from 'node:module';

// The first import of each entry: stack traces name this service's sources. Those of packages stay as they are,
// because their maps would take a tenth of the memory. Node 20 cannot tell them apart.
const setSupport = modules.setSourceMapsSupport as typeof modules.setSourceMapsSupport | undefined;
if (setSupport) setSupport(true, { nodeModules: false });
else process.setSourceMapsEnabled(true);
