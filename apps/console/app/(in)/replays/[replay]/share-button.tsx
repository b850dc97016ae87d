'use client'

import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { replayShare, shareReplay, unshareReplay } from '../../../../data/replay-shares.ts'
import { ShareDialog } from '../../../../features/issue/share-dialog.tsx'
import { Button } from '../../../../ui/button.tsx'

/** Makes, shows and ends the link that shows this replay without signing in. */
export function ShareButton(props: { readonly replay: string }) {
  const { replay } = props
  const [isOpen, setIsOpen] = useState(false)
  const [url, setUrl] = useState<string | null>(null)
  const open = async () => {
    const answer = await replayShare(replay)
    setUrl(answer.isOk ? (answer.value?.url ?? null) : null)
    setIsOpen(true)
  }
  return (
    <>
      <Button onClick={() => void open()}>
        <Share2 size={14} aria-hidden /> Share
      </Button>
      <ShareDialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title="Share this replay"
        description="Anyone with the link can watch this recording, with its steps, console and requests, but nothing else. They need no account."
        url={url}
        onCreate={async () => {
          const answer = await shareReplay(replay)
          if (answer.isOk) setUrl(answer.value.url)
          return answer.isOk ? null : answer.detail
        }}
        onRevoke={async () => {
          const answer = await unshareReplay(replay)
          if (answer.isOk) setUrl(null)
          return answer.isOk ? null : answer.detail
        }}
      />
    </>
  )
}
