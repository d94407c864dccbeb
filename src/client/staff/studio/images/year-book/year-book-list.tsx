import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { RowButton } from '#client/staff/kit/list/panel-link.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { subjectDisplayName } from '#client/staff/kit/screen/format.ts'
import {
  getNextYearBookSubject,
  getYearBook,
  listYearBookSubjects,
  type YearBook,
  type YearBookChoice,
  type YearBookSubject,
  yearBookChoices,
} from '#contract/studio/portraits/year-book.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { useYearBookUrl } from './use-year-book-url.ts'
import styles from './year-book.module.css'

const choiceLabels: Record<YearBookChoice, string> = {
  missing: 'Missing',
  chosen: 'Chosen',
  single: 'One image',
  without: 'No images',
}

const choiceText = ({ choice, chosenBy }: YearBookSubject): string =>
  choice === 'chosen' ? `Chosen by ${chosenBy === 'staff' ? 'staff' : 'parents'}` : choiceLabels[choice]

const isChoice = (text: string | undefined): text is YearBookChoice => yearBookChoices.some((name) => name === text)

const Thumbnails = ({ images, chosenImageId }: YearBookSubject) => (
  <span className={styles.thumbnails}>
    {images.map(({ id, fileName, thumbnailUrl }) => (
      <img
        key={id}
        className={styles.thumbnail}
        data-chosen={id === chosenImageId || undefined}
        src={thumbnailUrl}
        alt={id === chosenImageId ? `${fileName}, chosen` : fileName}
        loading="lazy"
      />
    ))}
  </span>
)

const columnsFor = (open: (subjectId: number) => void): readonly Column<YearBookSubject>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: (subject) => <RowButton onOpen={() => open(subject.id)}>{subjectDisplayName(subject)}</RowButton>,
  },
  { id: 'group', header: 'Group', sort: 'group', isClear: true, cell: ({ groups }) => groups.join(', ') },
  { id: 'images', header: 'Images', isClear: true, cell: (subject) => <Thumbnails {...subject} /> },
  { id: 'choice', header: 'Choice', isKey: true, isClear: true, cell: choiceText },
]

const choiceOptions = (counts: YearBook['counts'] | undefined) => [
  { value: '', label: 'Everyone' },
  ...yearBookChoices.map((choice) => ({
    value: choice,
    label: counts ? `${choiceLabels[choice]} (${counts[choice]})` : choiceLabels[choice],
  })),
]

const groupOptions = (groups: YearBook['groups'] = []) => [
  { value: '', label: 'All groups' },
  ...groups.map(({ id, name, counts: { chosen, missing } }) => ({
    value: String(id),
    label: `${name}: ${chosen} chosen, ${missing} missing`,
  })),
]

/** Starts with the first subject whose image is missing. */
const ChooseMissingButton = ({ job: { studioId, jobId } }: { job: JobParams }) => {
  const { groupId, open } = useYearBookUrl()
  const { data } = useStaffQuery(getNextYearBookSubject, {
    params: { studioId, jobId },
    query: groupId === null ? {} : { groupId },
  })
  const firstId = data?.subject?.id
  return firstId === undefined ? null : <Button onClick={() => open(firstId)}>Choose missing photos</Button>
}

/** The subjects of a yearbook with their images and choices. */
export const YearBookList = ({ job }: { job: JobParams }) => {
  const params = { studioId: job.studioId, jobId: job.jobId }
  const list = useList(['choice', 'groupId'])
  const { open, groupId } = useYearBookUrl()
  const { choice, groupId: _, ...paging } = list.query
  const query = useStaffQuery(listYearBookSubjects, {
    params,
    query: { ...paging, ...(isChoice(choice) && { choice }), ...(groupId !== null && { groupId }) },
  })
  const { data: yearBook } = useStaffQuery(getYearBook, { params })
  const group = yearBook?.groups.find(({ id }) => id === groupId)
  return (
    <ListScreen
      label="Yearbook"
      searchPlaceholder="Name, reference or code"
      list={list}
      query={query}
      columns={columnsFor(open)}
      idOf={({ id }) => String(id)}
      nameOf={subjectDisplayName}
      filters={
        <>
          <ListFilter
            list={list}
            name="choice"
            label="Which choices"
            options={choiceOptions((group ?? yearBook)?.counts)}
          />
          <ListFilter list={list} name="groupId" label="Which group" options={groupOptions(yearBook?.groups)} />
        </>
      }
      actions={<ChooseMissingButton job={job} />}
      empty={
        <EmptyState title="No one to choose for yet">
          <p>Add people and upload their images; then each can have one image in the yearbook.</p>
        </EmptyState>
      }
    />
  )
}
