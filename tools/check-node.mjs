// Plain JavaScript, since it must run on the Node that is too old for everything else.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `\nAfterimage needs Node 24 or newer; this is ${process.version} (${process.execPath}).\n` +
      'Run `npm ci` first: it brings the right Node along, and `npm start` and `npm test` then use it.\n' +
      'If it did, its install script was not allowed to run: check `allowScripts` in package.json.\n',
  )
  process.exit(1)
}
