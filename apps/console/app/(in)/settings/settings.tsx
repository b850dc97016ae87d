'use client'

import { createKey, setKeyActive } from '../../../data/projects.ts'
import { changePassword, createToken, revokeToken } from '../../../data/tokens.ts'
import type { Answer } from '../../../data/answer.ts'
import { AccountSection } from '../../../features/settings/account-section.tsx'
import {
  ProjectsSection,
  type ProjectWithKeys,
} from '../../../features/settings/projects-section.tsx'
import { TokensSection, type Token } from '../../../features/settings/tokens-section.tsx'
import { useNavigation } from '../../../ui/navigation.tsx'
import { useToast } from '../../../ui/toast.tsx'

/** Draws the settings, wired to the API. */
export function Settings(props: {
  readonly user: { readonly name: string; readonly email: string }
  readonly projects: readonly ProjectWithKeys[]
  readonly tokens: readonly Token[]
}) {
  const { refresh } = useNavigation()
  const toast = useToast()
  const done = async (answer: Promise<Answer<unknown>>): Promise<string | null> => {
    const result = await answer
    if (result.isOk) refresh()
    return result.isOk ? null : result.detail
  }
  const say = async (answer: Promise<Answer<unknown>>, text: string) => {
    const wrong = await done(answer)
    toast(wrong === null ? { text } : { text: wrong, tone: 'failed' })
  }
  return (
    <>
      <ProjectsSection
        projects={props.projects}
        onAddKey={(slug) => void say(createKey(slug, 'Key'), 'A key was added')}
        onKeyActive={(slug, key, isActive) =>
          void say(
            setKeyActive(slug, key, isActive),
            isActive ? 'The key is active again' : 'The key is paused',
          )
        }
      />
      <TokensSection
        tokens={props.tokens}
        onCreate={async (name) => {
          const answer = await createToken(name)
          if (!answer.isOk) return { problem: answer.detail }
          refresh()
          return { secret: answer.value.token }
        }}
        onRevoke={(id) => done(revokeToken(id))}
      />
      <AccountSection user={props.user} onPassword={(input) => done(changePassword(input))} />
    </>
  )
}
