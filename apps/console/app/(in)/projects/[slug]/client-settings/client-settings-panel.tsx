'use client'

import type { ClientSettings } from '@afterimage/protocol/client-settings'
import { saveClientSettings } from '../../../../../data/client-settings.ts'
import { ClientSettingsForm } from '../../../../../features/settings/client-settings-form.tsx'
import { useNavigation } from '../../../../../ui/navigation.tsx'

/** Draws the settings of clients, wired to the API. */
export function ClientSettingsPanel(props: {
  readonly slug: string
  readonly settings: ClientSettings
}) {
  const { refresh } = useNavigation()
  return (
    <ClientSettingsForm
      settings={props.settings}
      onSave={async (settings) => {
        const answer = await saveClientSettings(props.slug, settings)
        if (answer.isOk) refresh()
        return answer.isOk ? null : answer.detail
      }}
    />
  )
}
