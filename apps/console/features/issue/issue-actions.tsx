'use client'

import type { ApiIssueDetail, ApiIssueUpdate } from '@afterimage/protocol/api/issue'
import {
  Archive,
  Check,
  ChevronDown,
  ClipboardCopy,
  Ellipsis,
  GitCommitHorizontal,
  Package,
  RotateCcw,
  Share2,
  UserPlus,
} from 'lucide-react'
import { Button, SplitButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu, MenuGroup, MenuItem } from '../../ui/menu.tsx'
import { shortVersion } from '../stream/lede.ts'

export interface IssueAct {
  readonly update: ApiIssueUpdate
  /** "resolved", "archived for a day": said after the short id. */
  readonly said: string
}

interface IssueActionsProps {
  readonly issue: ApiIssueDetail
  readonly onAct: (act: IssueAct) => void
  readonly onShare: () => void
  readonly onAssign: () => void
  readonly markdown: () => string
}

const HOUR = 60
const DAY = 24 * HOUR

/** The action of `i`: the issue returns when it escalates. */
export const ARCHIVE: IssueAct = {
  update: { status: 'ignored', substatus: 'archived_until_escalating' },
  said: 'archived until it escalates',
}

/** Conditions under which an archived issue returns. */
const ARCHIVE_CHOICES: readonly {
  readonly group: string
  readonly label: string
  readonly act: IssueAct
}[] = [
  {
    group: 'Until',
    label: 'It escalates',
    act: ARCHIVE,
  },
  {
    group: 'Until',
    label: 'An hour has passed',
    act: until({ ignoreDuration: HOUR }, 'for an hour'),
  },
  { group: 'Until', label: 'A day has passed', act: until({ ignoreDuration: DAY }, 'for a day') },
  {
    group: 'Until',
    label: 'A week has passed',
    act: until({ ignoreDuration: 7 * DAY }, 'for a week'),
  },
  {
    group: 'Until it is seen again',
    label: '10 times',
    act: until({ ignoreCount: 10 }, 'until 10 more events'),
  },
  {
    group: 'Until it is seen again',
    label: '100 times',
    act: until({ ignoreCount: 100 }, 'until 100 more events'),
  },
  {
    group: 'Until it is seen again',
    label: 'By 10 more people',
    act: until({ ignoreUserCount: 10 }, 'until 10 more people'),
  },
  {
    group: 'For good',
    label: 'Forever',
    act: { update: { status: 'ignored', substatus: 'archived_forever' }, said: 'archived forever' },
  },
]

function until(
  statusDetails: NonNullable<ApiIssueUpdate['statusDetails']>,
  words: string,
): IssueAct {
  return {
    update: { status: 'ignored', substatus: 'archived_until_condition_met', statusDetails },
    said: `archived ${words}`,
  }
}

export const RESOLVE: IssueAct = { update: { status: 'resolved' }, said: 'resolved' }
export const REOPEN: IssueAct = { update: { status: 'unresolved' }, said: 'opened again' }
const RESOLVE_NEXT: IssueAct = {
  update: { status: 'resolved', statusDetails: { inNextRelease: true } },
  said: 'resolved in the next release',
}

/** Draws the issue's actions: in the head on wide screens, at the foot on a phone. */
export function IssueActions(props: IssueActionsProps) {
  const { issue, onAct } = props
  return (
    <>
      {issue.status === 'unresolved' ? (
        <>
          <ResolveButton issue={issue} onAct={onAct} />
          <ArchiveMenu onAct={onAct} />
        </>
      ) : (
        <Button look="ink" isThumb onClick={() => onAct(REOPEN)}>
          <RotateCcw size={14} aria-hidden />
          Open again <Kbd>e</Kbd>
        </Button>
      )}
      <CopyButton
        isIcon
        isThumb
        label="Copy as Markdown"
        icon={<ClipboardCopy size={14} aria-hidden />}
        text={props.markdown}
      />
      <Menu
        align="end"
        trigger={
          <Button isIcon isThumb aria-label="More">
            <Ellipsis size={14} aria-hidden />
          </Button>
        }
      >
        <MenuItem icon={<UserPlus size={14} aria-hidden />} keys={['a']} onSelect={props.onAssign}>
          Assign…
        </MenuItem>
        <MenuItem icon={<Share2 size={14} aria-hidden />} onSelect={props.onShare}>
          {issue.share === null ? 'Share with a link…' : 'The shared link…'}
        </MenuItem>
        <MenuItem
          icon={<Check size={14} aria-hidden />}
          onSelect={() => onAct({ update: { substatus: 'ongoing' }, said: 'marked as reviewed' })}
        >
          Mark as reviewed
        </MenuItem>
      </Menu>
    </>
  )
}

function ResolveButton(props: Pick<IssueActionsProps, 'issue' | 'onAct'>) {
  const release = props.issue.lastRelease?.version ?? null
  return (
    <SplitButton>
      <Button look="ink" isThumb onClick={() => props.onAct(RESOLVE)}>
        <Check size={14} aria-hidden />
        Resolve <Kbd>e</Kbd>
      </Button>
      <Menu
        align="end"
        trigger={
          <Button look="ink" isThumb aria-label="Resolve in the next release, in this release">
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
      >
        <MenuItem
          icon={<Check size={14} aria-hidden />}
          keys={['e']}
          onSelect={() => props.onAct(RESOLVE)}
        >
          Resolve now
        </MenuItem>
        <MenuItem
          icon={<Package size={14} aria-hidden />}
          onSelect={() => props.onAct(RESOLVE_NEXT)}
        >
          In the next release
        </MenuItem>
        {release === null ? null : (
          <MenuItem
            icon={<GitCommitHorizontal size={14} aria-hidden />}
            onSelect={() =>
              props.onAct({
                update: { status: 'resolved', statusDetails: { inRelease: release } },
                said: `resolved in ${shortVersion(release)}`,
              })
            }
          >
            In {shortVersion(release)}, this release
          </MenuItem>
        )}
      </Menu>
    </SplitButton>
  )
}

function ArchiveMenu(props: Pick<IssueActionsProps, 'onAct'>) {
  const groups = [...new Set(ARCHIVE_CHOICES.map((choice) => choice.group))]
  return (
    <Menu
      align="end"
      trigger={
        <Button isThumb>
          <Archive size={14} aria-hidden />
          Archive <Kbd>i</Kbd>
        </Button>
      }
    >
      {groups.map((group) => (
        <MenuGroup key={group} label={group}>
          {ARCHIVE_CHOICES.filter((choice) => choice.group === group).map((choice, index) => (
            <MenuItem
              key={choice.label}
              onSelect={() => props.onAct(choice.act)}
              {...(group === 'Until' && index === 0 ? { keys: ['i'] } : {})}
            >
              {choice.label}
            </MenuItem>
          ))}
        </MenuGroup>
      ))}
    </Menu>
  )
}
