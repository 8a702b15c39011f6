// Prints what GitHub's own parser, with its schema of workflows, finds wrong in workflow files: a JSON array with a text for
// each file, which has a line for each problem.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The parser imports JSON without an attribute, which Node refuses.
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(import.meta.resolve('@actions/workflow-parser'))],
  bundle: true,
  platform: 'node',
  format: 'esm',
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
  write: false,
  logLevel: 'error',
});
const code = Buffer.concat(outputFiles.map(({ contents }) => contents));
/** @type {typeof import('@actions/workflow-parser')} */
const parser = await import(`data:text/javascript;base64,${code.toString('base64')}`);
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = parser;

/** @param {string} name */
async function problemsOf(name) {
  const { context, value } = parseWorkflow({ name, content: readFileSync(name, 'utf8') }, new NoOperationTraceWriter());
  if (value) await convertWorkflowTemplate(context, value);
  return context.errors
    .getErrors()
    .map(({ message }) => `${message}\n`)
    .join('');
}

process.stdout.write(JSON.stringify(await Promise.all(process.argv.slice(2).map(problemsOf))));
