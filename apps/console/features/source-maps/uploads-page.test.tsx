import type { ApiArtifactBundle } from '@afterimage/protocol/api/source-maps'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ClockProvider } from '../../ui/clock.tsx'
import { UploadsPage } from './uploads-page.tsx'

const bundle: ApiArtifactBundle = {
  bundleId: '7',
  associations: [{ release: 'shop@1.0.0', dist: 'web' }],
  date: '2026-03-01T12:00:00.000Z',
  dateModified: '2026-03-01T12:00:00.000Z',
  fileCount: 1234,
  size: 5_000_000,
  origin: 'archive',
  state: 'ok',
  problems: [],
}

function drawn(bundles: readonly ApiArtifactBundle[], next: string | null = null): string {
  return renderToStaticMarkup(
    <ClockProvider renderedAt={Date.parse('2026-03-01T13:00:00Z')} timeZone="UTC">
      <UploadsPage
        project={{ slug: 'store', name: 'The store' }}
        bundles={bundles}
        server="https://afterimage.example"
        next={next}
        previous={null}
        onDelete={() => Promise.resolve(null)}
      />
    </ClockProvider>,
  )
}

test('without an upload the page shows the one command', () => {
  const html = drawn([])
  expect(html).toContain('No upload yet')
  expect(html).toContain(
    'npx afterimage sourcemaps upload dist --url https://afterimage.example --project store',
  )
})

test('an upload is a row with release, dist, files and size, and can be deleted', () => {
  const html = drawn([bundle], '0:25:0')
  for (const text of ['shop@1.0.0', 'web', '1,234', '5', 'Delete the upload of shop@1.0.0']) {
    expect(html).toContain(text)
  }
  expect(html).toContain('href="?cursor=0%3A25%3A0"')
})

test('an upload says that it is being taken in, why it failed, and what is wrong in it', () => {
  expect(drawn([{ ...bundle, state: 'assembling' }])).toContain('Being taken in')
  const problems = ['The archive has no manifest.json.']
  expect(drawn([{ ...bundle, state: 'error', problems }])).toContain(problems[0])
  expect(drawn([{ ...bundle, problems: ['two maps'] }])).toContain('two maps')
})

test('an upload without a release is named by the way its files are found', () => {
  expect(drawn([{ ...bundle, associations: [] }])).toContain('by debug ids')
  expect(drawn([{ ...bundle, associations: [], origin: 'folder' }])).toContain('the watched folder')
})
