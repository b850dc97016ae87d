import type { ApiAttachment, ApiEvent, ApiRequest } from '@afterimage/protocol/api/event'
import { Download } from 'lucide-react'
import { Section } from '../../ui/section.tsx'
import { byteWords, exactNumber } from '../../ui/time-words.ts'
import { pathOf } from './steps.ts'
import { ValueTree } from './value-tree.tsx'
import styles from './details.module.css'

/** Lists the tags of this event; the distributions above cover all events. */
export function EventTags(props: { readonly event: ApiEvent }) {
  const count = props.event.tags.length
  if (count === 0) return null
  return (
    <Section id="event-tags" title="This event" note={count === 1 ? '1 tag' : `${count} tags`}>
      <div className={styles['columns']}>
        <ValueTree
          value={Object.fromEntries(props.event.tags.map((tag) => [tag.key, tag.value]))}
        />
      </div>
    </Section>
  )
}

/** Shows the request that the event belongs to. */
export function Request(props: { readonly event: ApiEvent }) {
  const entry = props.event.entries.find((one) => one.type === 'request')
  if (entry?.type !== 'request') return null
  const request = entry.data
  return (
    <Section
      id="request"
      title="Request"
      note={
        <code>
          {request.method ?? 'GET'} {request.url === null ? '' : pathOf(request.url)}
        </code>
      }
    >
      <div className={styles['groups']}>
        {requestGroups(request).map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
    </Section>
  )
}

function requestGroups(request: ApiRequest) {
  const query =
    typeof request.query === 'string' ? { query: request.query } : pairs(request.query ?? [])
  const body = request.data === null || request.data === undefined ? {} : { body: request.data }
  return [
    { title: 'Address', value: { url: request.url ?? '', ...query } as Record<string, unknown> },
    { title: 'Body', value: body as Record<string, unknown> },
    { title: 'Headers', value: pairs(request.headers) },
    { title: 'Cookies', value: pairs(request.cookies) },
    { title: 'Environment', value: { ...request.env } as Record<string, unknown> },
  ].filter((group) => Object.keys(group.value).length > 0)
}

/** Lists the event's contexts: the device, the runtime, the person and the client's own additions. */
export function Contexts(props: { readonly event: ApiEvent }) {
  const groups = contextGroups(props.event)
  if (groups.length === 0) return null
  return (
    <Section id="contexts" title="Contexts" note={exactNumber(groups.length)}>
      <div className={styles['groups']}>
        {groups.map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
    </Section>
  )
}

/** Returns the contexts that are not empty, by name. */
export function contextGroups(
  event: ApiEvent,
): readonly { readonly title: string; readonly value: Readonly<Record<string, unknown>> }[] {
  const user =
    event.user === null
      ? {}
      : { ...withoutNulls({ ...event.user, data: undefined }), ...event.user.data }
  return [
    { title: 'user', value: user as Record<string, unknown> },
    ...Object.entries(event.contexts).map(([title, value]) => ({
      title,
      value: withoutNulls(value),
    })),
    { title: 'extra', value: withoutNulls(event.context) },
    {
      title: 'client',
      value:
        event.sdk === null
          ? {}
          : ({ name: event.sdk.name, version: event.sdk.version } as Record<string, unknown>),
    },
    { title: 'packages', value: event.packages as Record<string, unknown> },
  ].filter((group) => Object.keys(group.value).length > 0)
}

function Group(props: {
  readonly title: string
  readonly value: Readonly<Record<string, unknown>>
}) {
  return (
    <section className={styles['group']}>
      <h3>{props.title}</h3>
      <ValueTree value={props.value} />
    </section>
  )
}

/** Lists the event's attachments. They are downloaded, never shown in place. */
export function Attachments(props: {
  readonly attachments: readonly ApiAttachment[]
  readonly hrefOf: (attachment: ApiAttachment) => string
}) {
  if (props.attachments.length === 0) return null
  return (
    <Section id="attachments" title="Attachments" note={exactNumber(props.attachments.length)}>
      <ul className={styles['files']}>
        {props.attachments.map((file) => (
          <li key={file.id}>
            <a href={props.hrefOf(file)} download={file.name}>
              <Download size={14} aria-hidden />
              {file.name}
            </a>
            <span>{file.mimetype}</span>
            <span>{byteWords(file.size)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Lists the event's unreadable data, since the page lacks it. */
export function Problems(props: { readonly event: ApiEvent }) {
  const { errors } = props.event
  if (errors.length === 0) return null
  return (
    <Section id="problems" title="Data that could not be read" note={exactNumber(errors.length)}>
      <ul className={styles['files']}>
        {errors.map((error, index) => (
          <li key={index}>
            <code>{String(error.data['name'] ?? error.type)}</code>
            <span>{error.message ?? error.type.replaceAll('_', ' ')}</span>
            <span className={styles['value']}>{shown(error.data['value'])}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function shown(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

function withoutNulls(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  )
}

function pairs(list: readonly (readonly [string, string])[]): Record<string, unknown> {
  return Object.fromEntries(list)
}
