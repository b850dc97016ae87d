import type { Row } from './rows.ts'

const markers = /(<!-- sdk-size:[^\n]*-->\n)[^]*?(<!-- \/sdk-size -->)/

/** The README with its table of sizes written anew. @throws without the markers it stands between */
export function withTable(readme: string, rows: readonly Row[]): string {
  if (!markers.test(readme)) throw new Error('README.md has no place for the table of sizes')
  const table = [
    '',
    '| KB (1024 bytes) | gzip | minified | budget |',
    '|---|---:|---:|---:|',
    ...rows.map(
      ({ name, gzipped, minified, budget }) =>
        `| ${name} | ${kilobytes(gzipped)} | ${kilobytes(minified)} | ${budget === null ? '' : kilobytes(budget)} |`,
    ),
    '',
    '',
  ].join('\n')
  return readme.replace(markers, (_, begin: string, end: string) => begin + table + end)
}

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1)
}
