/** Loads one address, as a process of its own: the options of autocannon come as JSON, its result goes out as JSON. */
import autocannon from 'autocannon';

void autocannon(JSON.parse(process.argv[2] ?? '') as autocannon.Options).then((result) =>
  process.stdout.write(JSON.stringify(result)),
);
