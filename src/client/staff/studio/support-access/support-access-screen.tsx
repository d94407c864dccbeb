import { useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useTimeZone } from '#client/staff/kit/routing/staff-context.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { listSupportAccesses, type SupportAccess } from '#contract/studio/support-access.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { endLabel, stateLabels, termsLabel } from './access-labels.ts'
import { ConsentControls } from './consent-controls.tsx'
import { useEndAccess } from './use-end-access.ts'

type Administrator = { id: number; name: string }

const ConsentPanel = ({ studioId, administrators }: { studioId: number; administrators: readonly Administrator[] }) => {
  const [chosenId, setChosenId] = useState('')
  const [first, ...others] = administrators
  const chosen = others.length === 0 ? first : administrators.find(({ id }) => String(id) === chosenId)
  return (
    <Panel
      title="Let an administrator in"
      lead="Without you they see nothing of your subjects, images and orders. You can end an access at any time."
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

const useAccessColumns = (studioId: number): readonly Column<SupportAccess>[] => {
  const { end, busy } = useEndAccess(studioId)
  const timeZone = useTimeZone()
  return [
    { id: 'name', header: 'Administrator', cell: ({ administratorName }) => administratorName },
    {
      id: 'state',
      header: 'State',
      cell: ({ state }) => <StateBadge tone={stateLabels[state].tone}>{stateLabels[state].label}</StateBadge>,
    },
    { id: 'from', header: 'From', cell: ({ startsAt, askedAt }) => formatMoment(startsAt ?? askedAt, timeZone) },
    {
      id: 'until',
      header: 'Until',
      cell: (access) => (access.endedAt ? formatMoment(access.endedAt, timeZone) : endLabel(access, timeZone) || '–'),
    },
    { id: 'terms', header: 'What', cell: (access) => (access.startsAt ? termsLabel(access) : '–') },
    { id: 'reason', header: 'Reason', cell: ({ reason }) => reason || '–' },
    { id: 'consent', header: 'Consent of', cell: ({ consentedBy }) => consentedBy ?? '–' },
    { id: 'ended', header: 'Ended by', cell: ({ endedBy }) => endedBy ?? '–' },
    {
      id: 'actions',
      header: 'Actions',
      cell: (access) =>
        access.state === 'open' || access.state === 'asked' ? (
          <Button
            variant="secondary"
            size="sm"
            loading={busy}
            aria-label={`${access.state === 'open' ? 'End access of' : 'Refuse'} ${access.administratorName}`}
            onClick={() => end(access)}
          >
            {access.state === 'open' ? 'End access' : 'Refuse'}
          </Button>
        ) : (
          '–'
        ),
    },
  ]
}

/** Which administrators of the platform have or had access to the studio, and why. Its owners let them in and end it here. */
export const SupportAccessScreen = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(listSupportAccesses, { params: { studioId } })
  const columns = useAccessColumns(studioId)
  return (
    <StaffScreen
      title="Support access"
      lead="The platform’s administrators can see your data only with your consent, or to read for one hour with a reason that you see here. What they change is recorded under their name and yours."
    >
      <QueryBoundary query={query}>
        {({ accesses, administrators }) => (
          <div>
            <ConsentPanel studioId={studioId} administrators={administrators} />
            <Panel title="Who has or had access" lead="The last 50.">
              {accesses.length === 0 ? (
                <EmptyState title="No one yet">
                  <p>Administrators who ask for access or have it appear here.</p>
                </EmptyState>
              ) : (
                <DataTable
                  label="Support accesses"
                  columns={columns}
                  rows={accesses}
                  idOf={({ id }) => String(id)}
                  nameOf={({ administratorName }) => administratorName}
                />
              )}
            </Panel>
          </div>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}
