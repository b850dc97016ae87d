import type {
  ApiBreadcrumb,
  ApiEntry,
  ApiEvent,
  ApiStacktrace,
} from '@afterimage/protocol/api/event'

/**
 * Members of a breadcrumb that are shown; a console line's arguments or a state may name a person.
 */
const crumbFields = new Set([
  'from',
  'to',
  'url',
  'method',
  'http.method',
  'status_code',
  'statusCode',
  'duration',
  'clickCount',
  'ui.component_name',
])

/**
 * Returns an event as a share link shows it: its exceptions, stack, message and breadcrumbs. All
 * other data of the client (people, tags, contexts, requests, variables) stays private, under any
 * name it may ever have.
 */
export function sharedEvent(event: ApiEvent): ApiEvent {
  return {
    ...event,
    groupID: null,
    size: 0,
    user: null,
    tags: [],
    contexts: {},
    context: {},
    packages: {},
    dist: null,
    fingerprints: [],
    errors: [],
    replayId: null,
    traceId: null,
    nextEventID: null,
    previousEventID: null,
    entries: event.entries.flatMap(sharedEntry),
  }
}

function sharedEntry(entry: ApiEntry): ApiEntry[] {
  switch (entry.type) {
    case 'exception': {
      const values = entry.data.values.map((one) => ({
        ...one,
        mechanism: null,
        rawStacktrace: null,
        stacktrace: withoutVariables(one.stacktrace),
      }))
      return [{ ...entry, data: { ...entry.data, values } }]
    }
    case 'stacktrace': {
      const data = withoutVariables(entry.data)
      return data === null ? [] : [{ ...entry, data }]
    }
    case 'message':
      return [{ ...entry, data: { ...entry.data, params: null } }]
    case 'breadcrumbs':
      return [{ ...entry, data: { values: entry.data.values.map(sharedCrumb) } }]
    case 'threads':
    case 'request':
    case 'spans':
    case 'csp':
    case 'template':
    case 'debugmeta':
      return []
  }
}

function withoutVariables(stack: ApiStacktrace | null): ApiStacktrace | null {
  if (stack === null) return null
  return { ...stack, frames: stack.frames.map((frame) => ({ ...frame, vars: null })) }
}

function sharedCrumb(crumb: ApiBreadcrumb): ApiBreadcrumb {
  const { data } = crumb
  if (data === null) return crumb
  return {
    ...crumb,
    data: Object.fromEntries(Object.entries(data).filter(([name]) => crumbFields.has(name))),
  }
}
