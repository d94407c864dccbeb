import { type ReactNode, useDeferredValue, useState } from 'react'
import { useLocation } from 'wouter'
import { SearchCombobox } from '#client/staff/kit/list/search-combobox.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type JobRow, listJobs } from '#contract/studio/jobs.ts'
import { listStudios, type StudioRow } from '#contract/system/studios.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { toPage } from '#domain/shared/paging.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

/** The number of matches that are offered at a time. */
const maxMatches = 8

type Chosen = { id: string; name: string }
type Option = Chosen & { detail: string }

type SearchFieldProps = {
  label: string
  placeholder: string
  chosen: Chosen | null
  /** What matches the typed text, undefined while it loads. */
  options: readonly Option[] | undefined
  failure: CallFailure | undefined
  /** What to do about the failure. */
  failureAction?: ReactNode
  typed: string | null
  onTyped: (typed: string | null) => void
  onChoose: (option: Option) => void
}

const SearchField = ({
  label,
  placeholder,
  chosen,
  options,
  failure,
  failureAction,
  typed,
  onTyped,
  onChoose,
}: SearchFieldProps) => (
  <>
    <SearchCombobox
      label={label}
      placeholder={placeholder}
      text={typed ?? chosen?.name ?? ''}
      onText={onTyped}
      options={typed === null ? [] : (options ?? [])}
      onChoose={(option) => {
        onTyped(null)
        onChoose(option)
      }}
      onClose={() => onTyped(null)}
      onFocus={() => onTyped('')}
      onBlur={() => onTyped(null)}
      emptyText={typed !== null && options?.length === 0 ? `Nothing matches “${typed}”.` : undefined}
    />
    {failure && (
      <Notice tone="attention" action={failureAction}>
        {failure.errors.join(' ')}
      </Notice>
    )}
  </>
)

/** The typed text of a search (null while its list is closed), and the query of the list. */
const useTyped = () => {
  const [typed, setTyped] = useState<string | null>(null)
  const filter = useDeferredValue((typed ?? '').trim())
  return { typed, setTyped, query: { currentPage: 1, pageSize: maxMatches, ...(filter && { filter }) } }
}

const StudioField = ({ chosen, onChoose }: { chosen: Chosen | null; onChoose: (studio: Chosen) => void }) => {
  const { typed, setTyped, query } = useTyped()
  const studios = useStaffQuery(listStudios, { query, enabled: typed !== null })
  const options = studios.data && toPage<StudioRow>(studios.data).resultItems
  return (
    <SearchField
      label="Studio"
      placeholder="Name or address"
      chosen={chosen}
      options={options?.map(({ id, name, slug }) => ({ id: String(id), name, detail: `/${slug}` }))}
      failure={studios.error}
      typed={typed}
      onTyped={setTyped}
      onChoose={onChoose}
    />
  )
}

const JobField = ({ studioId, onChoose }: { studioId: number; onChoose: (job: Chosen) => void }) => {
  const { typed, setTyped, query } = useTyped()
  const jobs = useStaffQuery(listJobs, { params: { studioId }, query })
  const options = jobs.data && toPage<JobRow>(jobs.data).resultItems
  return (
    <SearchField
      label="Job"
      placeholder="Name, organization or code"
      chosen={null}
      options={options?.map(({ id, name, organizationName, eventDate }) => ({
        id: String(id),
        name,
        detail: [organizationName, eventDate && formatDate(eventDate)].filter(Boolean).join(' · '),
      }))}
      failure={jobs.error}
      failureAction={
        jobs.error?.problem === 'support-access-needed' && (
          <ButtonLink href={staffUrls.studio(studioId)} variant="secondary">
            Ask for access
          </ButtonLink>
        )
      }
      typed={typed}
      onTyped={setTyped}
      onChoose={onChoose}
    />
  )
}

/** Where an administrator chooses the job of any studio to enter an order in. The screen that follows is that of the studio's staff. */
export const EntryStartScreen = () => {
  const [, navigate] = useLocation()
  const [studio, setStudio] = useState<Chosen | null>(null)
  return (
    <StaffScreen
      title="Entry"
      lead={
        <p>
          Choose a studio whose owner gave you access with changes, and a job. You enter the order on the same screen as
          its staff.
        </p>
      }
    >
      <Panel title="Job">
        <StudioField chosen={studio} onChoose={setStudio} />
        {studio && (
          <JobField
            key={studio.id}
            studioId={Number(studio.id)}
            onChoose={({ id }) => navigate(staffUrls.job({ studioId: Number(studio.id), jobId: Number(id) }, 'entry'))}
          />
        )}
      </Panel>
    </StaffScreen>
  )
}
