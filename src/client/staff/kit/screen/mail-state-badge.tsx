import type { MailRow } from '#contract/system/call-logs.ts'
import { type BadgeTone, StateBadge } from './state-badge.tsx'

type MailState = MailRow['state']

export const mailStateNames: Readonly<Record<MailState, string>> = {
  waiting: 'Waiting',
  kept: 'Only recorded',
  sent: 'Sent',
  failed: 'Failed',
}

const tones: Readonly<Record<MailState, BadgeTone>> = {
  waiting: 'attention',
  kept: 'quiet',
  sent: 'success',
  failed: 'attention',
}

/** The state of an email in the log. */
export const MailStateBadge = ({ state }: { state: MailState }) => (
  <StateBadge tone={tones[state]}>{mailStateNames[state]}</StateBadge>
)
