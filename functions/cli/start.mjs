import './require-node.mjs';

// npm runs scripts in the project's folder; paths that a person types are meant from where they stand.
// biome-ignore lint/style/noProcessEnv: the program's own entry
const { INIT_CWD: standsIn } = process.env;
if (standsIn !== undefined) process.chdir(standsIn);

const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
