'use client'

import type { ApiArtifactBundle } from '@afterimage/protocol/api/source-maps'
import { ChevronLeft, ChevronRight, CircleDashed, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/clock.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useNavigation } from '../../ui/navigation.tsx'
import { State } from '../../ui/state.tsx'
import { byteWords, exactNumber } from '../../ui/time-words.ts'
import styles from './uploads-page.module.css'

/** The uploads of a project, newest first, each to be deleted; without one, how to make the first. */
export function UploadsPage(props: {
  readonly project: { readonly slug: string; readonly name: string }
  readonly bundles: readonly ApiArtifactBundle[]
  /** The server's address, for the command. */
  readonly server: string
  readonly next: string | null
  readonly previous: string | null
  /** Returns the failure's message, or null. */
  readonly onDelete: (bundleId: string) => Promise<string | null>
}) {
  const { project, bundles, server, next, previous } = props
  const [deleting, setDeleting] = useState<ApiArtifactBundle | null>(null)
  const isEmpty = bundles.length === 0 && previous === null
  return (
    <div className={styles['page']}>
      <h1 className={styles['title']}>Source maps of {project.name}</h1>
      {isEmpty ? (
        <State kind="empty" isList title="No upload yet">
          Without its source map a minified stack names no function and no line.
        </State>
      ) : (
        <UploadRows bundles={bundles} onDelete={setDeleting} />
      )}
      <nav className={styles['pager']} aria-label="Pages of the list" hidden={!(next ?? previous)}>
        {previous === null ? null : (
          <ButtonLink href={`?cursor=${encodeURIComponent(previous)}`}>
            <ChevronLeft size={14} aria-hidden /> Newer
          </ButtonLink>
        )}
        {next === null ? null : (
          <ButtonLink href={`?cursor=${encodeURIComponent(next)}`}>
            Older <ChevronRight size={14} aria-hidden />
          </ButtonLink>
        )}
      </nav>
      <HowTo slug={project.slug} server={server} isFirst={isEmpty} />
      <DeleteDialog
        key={deleting?.bundleId ?? ''}
        bundle={deleting}
        onClose={() => setDeleting(null)}
        onDelete={props.onDelete}
      />
    </div>
  )
}

function UploadRows(props: {
  readonly bundles: readonly ApiArtifactBundle[]
  readonly onDelete: (bundle: ApiArtifactBundle) => void
}) {
  return (
    <table className={styles['uploads']}>
      <thead>
        <tr>
          <th scope="col">Release</th>
          <th scope="col">Dist</th>
          <th scope="col" className={styles['number']}>
            Files
          </th>
          <th scope="col" className={styles['number']}>
            Size
          </th>
          <th scope="col">Uploaded</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.bundles.map((bundle) => (
          <tr key={bundle.bundleId}>
            <th scope="row">
              {releaseWords(bundle)}
              <UploadState bundle={bundle} />
            </th>
            <td>{bundle.associations[0]?.dist ?? ''}</td>
            <td className={styles['number']}>{exactNumber(bundle.fileCount)}</td>
            <td className={styles['number']}>{byteWords(bundle.size)}</td>
            <td>
              <RelativeTime at={bundle.date} />
            </td>
            <td className={styles['end']}>
              <Button
                look="bare"
                aria-label={`Delete the upload of ${releaseWords(bundle)}`}
                onClick={() => props.onDelete(bundle)}
              >
                Delete…
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Names an upload by its release; without one its files are found by their debug ids. */
function releaseWords({ associations, origin }: ApiArtifactBundle): string {
  if (associations[0] !== undefined) return associations[0].release
  return origin === 'folder' ? 'the watched folder' : 'by debug ids'
}

/** Says what is to be known of an upload; of one that is whole, nothing. */
function UploadState({ bundle }: { readonly bundle: ApiArtifactBundle }) {
  if (bundle.state === 'assembling') {
    return (
      <span className={styles['waiting']}>
        <CircleDashed size={14} aria-hidden />
        Being taken in
      </span>
    )
  }
  return bundle.problems.map((problem) => (
    <span key={problem} className={styles[bundle.state === 'error' ? 'failed' : 'problem']}>
      <TriangleAlert size={14} aria-hidden />
      {problem}
    </span>
  ))
}

/** The command that uploads a build. */
function HowTo(props: {
  readonly slug: string
  readonly server: string
  readonly isFirst: boolean
}) {
  const { Link } = useNavigation()
  const command = `npx afterimage sourcemaps upload dist --url ${props.server} --project ${props.slug} --token <token> --release <version>`
  return (
    <section className={styles['how']} aria-labelledby="how-to-upload">
      <h2 id="how-to-upload">{props.isFirst ? 'Upload the first' : 'Upload another'}</h2>
      <CodeBlock text={command}>{command}</CodeBlock>
      <p>
        It runs after the build, on the folder that is served. Make the token under{' '}
        <Link href="/settings#tokens">Settings</Link>. Sentry’s command and bundler plugins work
        too, with this address.
      </p>
    </section>
  )
}

function DeleteDialog(props: {
  readonly bundle: ApiArtifactBundle | null
  readonly onClose: () => void
  readonly onDelete: (bundleId: string) => Promise<string | null>
}) {
  const { bundle } = props
  const [problem, setProblem] = useState<string | null>(null)
  const remove = async () => {
    if (bundle === null) return
    const wrong = await props.onDelete(bundle.bundleId)
    if (wrong === null) props.onClose()
    else setProblem(wrong)
  }
  return (
    <Dialog
      isOpen={bundle !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) props.onClose()
      }}
      title="Delete this upload"
      description={
        bundle === null
          ? ''
          : `${releaseWords(bundle)}, ${exactNumber(bundle.fileCount)} files. Stacks that were read with it stay as they are; new ones are not read with it.`
      }
    >
      {problem === null ? null : (
        <p role="alert" className={styles['failed']}>
          {problem}
        </p>
      )}
      <DialogActions>
        <Button onClick={props.onClose}>Keep it</Button>
        <Button look="danger" onClick={() => void remove()}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}
