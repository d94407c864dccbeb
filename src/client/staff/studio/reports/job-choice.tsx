import { useDeferredValue, useState } from 'react'
import { SearchCombobox } from '#client/staff/kit/list/search-combobox.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { chosenId, type ReportList } from '#client/staff/kit/report/use-report-request.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { getStaffJob, type JobRow, listJobs } from '#contract/studio/jobs.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { toPage } from '#domain/shared/paging.ts'
import { useIsPhone } from '#ui/rendering/use-media-query.ts'
import styles from './saved-reports.module.css'

/** The number of jobs that are offered at a time: those that match the typed text, the latest first. */
const maxJobs = 8

const toOption = ({ id, name, organizationName, eventDate }: JobRow) => ({
  id: String(id),
  name,
  detail: [organizationName, eventDate && formatDate(eventDate)].filter(Boolean).join(' · '),
})

/** The name of the chosen job; without one, of the choice of all. */
const useChosenName = (list: ReportList, isRequired: boolean): string => {
  const { id: studioId } = useStudio()
  const jobId = chosenId(list, 'jobId')
  const { data } = useStaffQuery(getStaffJob, { params: { studioId, jobId: jobId ?? 0 }, enabled: jobId !== undefined })
  if (jobId === undefined) return isRequired ? '' : 'All jobs'
  return data?.id === jobId ? data.name : `Job ${jobId}`
}

/** The job of a report, found by name, organization or code among all jobs of the studio. */
export const JobChoice = ({ list, isRequired }: { list: ReportList; isRequired: boolean }) => {
  const { id: studioId } = useStudio()
  const chosenName = useChosenName(list, isRequired)
  /** The typed text; null while the list is closed. */
  const [typed, setTyped] = useState<string | null>(null)
  const filter = useDeferredValue((typed ?? '').trim())
  const query = useStaffQuery(listJobs, {
    params: { studioId },
    query: { currentPage: 1, pageSize: maxJobs, ...(filter && { filter }) },
    enabled: typed !== null,
  })
  const jobs = query.data ? toPage<JobRow>(query.data).resultItems : []
  const all = isRequired || filter !== '' ? [] : [{ id: '', name: 'All jobs', detail: '' }]
  const hasNoMatch = typed !== null && filter !== '' && query.data !== undefined && jobs.length === 0
  return (
    <SearchCombobox
      label="Job"
      hideLabel={useIsPhone()}
      hasArrow
      placeholder={chosenName || 'Choose a job'}
      text={typed ?? chosenName}
      // What is typed after a choice follows the name that is shown.
      onText={(text) => setTyped(typed === null && text.startsWith(chosenName) ? text.slice(chosenName.length) : text)}
      options={typed === null ? [] : [...all, ...jobs.map(toOption)]}
      onChoose={({ id }) => {
        setTyped(null)
        list.chooseFilter('jobId', id || undefined)
      }}
      onClose={() => setTyped(null)}
      onFocus={() => setTyped('')}
      onBlur={() => setTyped(null)}
      listClassName={styles.jobs}
      emptyText={hasNoMatch && !query.isPlaceholder ? `No job matches “${filter}”.` : undefined}
    />
  )
}
