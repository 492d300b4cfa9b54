// Plain JavaScript on purpose: it must be readable by the old Node it turns away.
// 24.12 is the first Node 24 that erases types without a warning.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 24 || (major === 24 && minor < 12)) {
  process.stderr.write(
    `This project needs Node 24.12 or newer; this is Node ${process.versions.node}. ` +
      'On Linux "npm ci" brings one and "npm run" uses it; elsewhere install Node 24.\n',
  );
  process.exit(2);
}
