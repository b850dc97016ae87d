import type { Client } from '@afterimage/sdk-core/client'
import { createLabels } from '@afterimage/sdk-core/labels'
import type { ReplayOptions } from '../options.ts'
import { watchSecrets } from './secrets.ts'
import type { Secrets } from './secrets.ts'
import { compileSelectors } from './selectors.ts'
import type { Selectors } from './selectors.ts'

/** Decides what may be shown of a page. Begins with the page, since the recorder comes later. */
export interface Privacy {
  readonly selectors: Selectors
  readonly secrets: Secrets
}

/** Breadcrumbs of errors hide what the recorder hides: both show the same labels. */
export function watchPrivacy(client: Client, options: ReplayOptions): Privacy {
  const secrets = watchSecrets()
  const selectors = compileSelectors(options, client.options.unmask)
  const { unmask, mask, block } = selectors
  client.labels = createLabels({ unmask, hide: `,${mask},${block}`, show: secrets.show })
  return { selectors, secrets }
}
