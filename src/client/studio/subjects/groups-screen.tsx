import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { groups as calls, type Group } from '../../../contract/studio/groups.ts'
import { ListScreen } from '../../staff/list-screen.tsx'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { useChange } from '../../staff/use-change.ts'
import { useList } from '../../staff/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.ts'
import type { Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { GroupNameDialog } from './group-name-dialog.tsx'
import { subjectsUrl } from './subject-urls.ts'
import styles from './subjects.module.css'
import { peopleWords } from './words.ts'

/** So many of a group's pictures fit into its line. */
const mostInLine = 5

const Pictures = ({ images, imageCount }: Group) => {
  const shown = images.filter(({ thumbnailUrl }) => thumbnailUrl !== null).slice(0, mostInLine)
  if (imageCount === 0) return <span className={styles.soft}>None yet</span>
  return (
    <span className={styles.person}>
      <span className={styles.strip}>
        {shown.map(({ id, name, thumbnailUrl, previewUrl }) => (
          <a key={id} href={previewUrl ?? undefined} target="_blank" rel="noreferrer">
            <img className={styles.face} src={thumbnailUrl ?? undefined} alt={name} loading="lazy" />
          </a>
        ))}
      </span>
      {imageCount > shown.length && <span className={styles.soft}>{imageCount} in all</span>}
    </span>
  )
}

type Does = { rename: (group: Group) => void; remove: (group: Group) => void }

const columnsFor = (job: JobPlace, does: Does): readonly Column<Group>[] => [
  {
    id: 'name',
    header: 'Group',
    sort: 'name',
    cell: ({ id, name }) => (
      <span className={styles.person}>
        <Link href={`${subjectsUrl(job)}?groupId=${id}`}>{name}</Link>
      </span>
    ),
  },
  { id: 'people', header: 'People', sort: 'people', isNumber: true, cell: ({ subjectCount }) => subjectCount },
  { id: 'images', header: 'Images', cell: (group) => <Pictures {...group} /> },
  {
    id: 'does',
    header: 'Actions',
    cell: (group) => (
      <Menu
        label={`What to do with ${group.name}`}
        icon={Ellipsis}
        align="end"
        items={[
          { label: 'Rename', onSelect: () => does.rename(group) },
          'separator',
          { label: 'Remove', danger: true, onSelect: () => does.remove(group) },
        ]}
      />
    ),
  },
]

/** The groups of a job, with how many people are in each and the pictures of all of them. */
export const GroupsScreen = (job: JobPlace) => {
  const { studioId, jobId } = job
  const params = { studioId, jobId }
  const list = useList()
  const reading = useAnswer(calls.list, { params, query: list.query })
  const [edited, setEdited] = useState<Group | 'new' | null>(null)
  const remove = useChange(calls.remove)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is done with a group is the same however often the list is drawn
  const columns = useMemo(
    () =>
      columnsFor(job, {
        rename: setEdited,
        remove: async ({ id, name, subjectCount }) => {
          const message = subjectCount > 0 ? `${peopleWords(subjectCount)} stay, in no group or in their others.` : ''
          if (!(await confirm({ title: `Remove “${name}”?`, message, confirmText: 'Remove', danger: true }))) return
          const gone = await remove.make({ params: { ...params, id } })
          if (gone.ok) toast(`“${name}” is gone`)
        },
      }),
    [studioId, jobId],
  )
  const make = (
    <Button icon={Plus} onClick={() => setEdited('new')}>
      New group
    </Button>
  )
  return (
    <StaffScreen
      title="Groups"
      trail={[{ label: 'Subjects', href: subjectsUrl(job) }]}
      lead={<p>Classes, teams: whoever is pictured together.</p>}
      actions={make}
    >
      <ListScreen
        label="Groups"
        seek="Name"
        list={list}
        reading={reading}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        empty={
          <EmptyState title="No groups yet" action={make}>
            <p>Make one, then select people in the list and put them into it. Group images are shown to all of them.</p>
          </EmptyState>
        }
      />
      {edited && <GroupNameDialog job={job} group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </StaffScreen>
  )
}
