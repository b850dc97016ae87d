// `node tools/run.mjs start.ts …`: runs one of the project's programs. Plain JavaScript, since it
// must also run on the Node that is too old for everything else, and say so.
import module from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `\nAfterimage needs Node 24 or newer; this is ${process.version} (${process.execPath}).\n` +
      'Run `npm ci` first: it brings the right Node along, and `npm start` and `npm test` then use it.\n' +
      'If it did, its install script was not allowed to run: check `allowScripts` in package.json.\n',
  )
  process.exit(1)
}

// Compiled code is kept, types already stripped: a start is quicker, and each process is about
// 25 MB smaller, since it never loads what strips them. Children inherit the folder.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../node_modules/.cache/node', import.meta.url),
)
module.enableCompileCache(process.env.NODE_COMPILE_CACHE)

const [program = '', ...rest] = process.argv.slice(2)
process.argv.splice(1, process.argv.length, program, ...rest)
await import(pathToFileURL(program).href)
