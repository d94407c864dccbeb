import { useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useTimeZone } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import rows from '#client/staff/kit/screen/rows.module.css'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { endLabel, stateLabels, termsLabel } from '#client/staff/kit/support-access/access-labels.ts'
import { ConsentControls, useEndAccess } from '#client/staff/kit/support-access/consent-controls.tsx'
import { listSupportAccesses, type SupportAccess } from '#contract/studio/support-access.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import styles from './support-access.module.css'

type Administrator = { id: number; name: string }

const ConsentPanel = ({ studioId, administrators }: { studioId: number; administrators: readonly Administrator[] }) => {
  const [chosenId, setChosenId] = useState('')
  const [first, ...others] = administrators
  const chosen = others.length === 0 ? first : administrators.find(({ id }) => String(id) === chosenId)
  return (
    <Panel
      title="Let an administrator in"
      lead="You decide what they may do and for how long. You can end an access at any time."
    >
      <Field label="Administrator">
        <Select
          placeholder="Choose who helps you"
          value={chosen ? String(chosen.id) : ''}
          options={administrators.map(({ id, name }) => ({ value: String(id), label: name }))}
          onValue={setChosenId}
        />
      </Field>
      <ConsentControls studioId={studioId} administrator={chosen} />
    </Panel>
  )
}

/** What happened to an access, in sentences. */
const factsOf = (access: SupportAccess, timeZone: string | undefined): string[] => {
  const { startsAt, askedAt, endedAt, endedBy, consentedBy, reason } = access
  const end = endedAt ? formatMoment(endedAt, timeZone) : endLabel(access, timeZone)
  return [
    startsAt ? `${formatMoment(startsAt, timeZone)} to ${end}` : `Asked on ${formatMoment(askedAt, timeZone)}`,
    ...(startsAt ? [termsLabel(access), consentedBy ? `Allowed by ${consentedBy}` : 'Without consent'] : []),
    ...(endedBy ? [`${startsAt ? 'Ended' : 'Closed'} by ${endedBy}`] : []),
    ...(reason ? [`Reason: “${reason}”`] : []),
  ]
}

const AccessItem = ({ studioId, access }: { studioId: number; access: SupportAccess }) => {
  const { end, busy } = useEndAccess(studioId)
  const timeZone = useTimeZone()
  const { state, administratorName: name } = access
  const endText = state === 'open' ? 'End access' : 'Refuse'
  return (
    <li className={rows.row}>
      <div className={`${rows.text} ${styles.facts}`}>
        <strong>{name}</strong>
        <StateBadge tone={stateLabels[state].tone}>{stateLabels[state].label}</StateBadge>
        <p>{factsOf(access, timeZone).join('. ')}</p>
      </div>
      {(state === 'open' || state === 'asked') && (
        <Button variant="secondary" loading={busy} aria-label={`${endText}: ${name}`} onClick={() => end(access)}>
          {endText}
        </Button>
      )}
    </li>
  )
}

/** Which administrators of the platform have or had access to the studio, and why. Its owners let them in and end it here. */
export const SupportAccessScreen = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(listSupportAccesses, { params: { studioId } })
  return (
    <StaffScreen
      title="Support access"
      trail={[{ label: 'Settings', href: staffUrls.studio(studioId, 'settings') }]}
      lead="Administrators of the platform see your data with your consent, or read it for one hour with a reason that you see here. Their changes are recorded with their name and yours."
    >
      <QueryBoundary query={query}>
        {({ accesses, administrators }) => (
          <div>
            <ConsentPanel studioId={studioId} administrators={administrators} />
            <Panel title="Who has or had access" lead="The last 50 requests and accesses.">
              {accesses.length === 0 ? (
                <EmptyState title="No one yet">
                  <p>Administrators who ask for access or have it appear here.</p>
                </EmptyState>
              ) : (
                <ul className={styles.accesses}>
                  {accesses.map((access) => (
                    <AccessItem key={access.id} studioId={studioId} access={access} />
                  ))}
                </ul>
              )}
            </Panel>
          </div>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}
