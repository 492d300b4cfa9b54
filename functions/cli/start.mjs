import './require-node.mjs';

const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
