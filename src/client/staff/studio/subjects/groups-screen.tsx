import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { groups as calls, type Group } from '#contract/studio/groups.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import { GroupNameDialog } from './group-name-dialog.tsx'
import { formatSubjectCount } from './subject-format.ts'
import { subjectsUrl } from './subject-urls.ts'
import styles from './subjects.module.css'

/** Limit of thumbnails per row. */
const maxThumbnails = 5

const GroupImages = ({ job, group: { id: groupId, images, imageCount } }: { job: JobParams; group: Group }) => {
  const shown = images.filter(({ thumbnailUrl }) => thumbnailUrl !== null).slice(0, maxThumbnails)
  const all = `${staffUrls.job(job, 'images')}?groupId=${groupId}`
  if (imageCount === 0) return <Link href={all}>Upload images</Link>
  return (
    <span className={styles.person}>
      <span className={styles.strip}>
        {shown.map(({ id, name, thumbnailUrl, previewUrl }) => (
          <a key={id} href={previewUrl ?? undefined} target="_blank" rel="noreferrer">
            <img className={styles.face} src={thumbnailUrl ?? undefined} alt={name} loading="lazy" />
          </a>
        ))}
      </span>
      <Link href={all}>{imageCount === 1 ? '1 image' : `${imageCount} images`}</Link>
    </span>
  )
}

type GroupActions = { rename: (group: Group) => void; remove: (group: Group) => void }

const columnsFor = (job: JobParams, actions: GroupActions): readonly Column<Group>[] => [
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
  { id: 'images', header: 'Images', cell: (group) => <GroupImages job={job} group={group} /> },
  {
    id: 'actions',
    header: 'Actions',
    cell: (group) => (
      <Menu
        label={`What to do with ${group.name}`}
        icon={Ellipsis}
        align="end"
        items={[
          { label: 'Rename', onSelect: () => actions.rename(group) },
          'separator',
          { label: 'Remove', danger: true, onSelect: () => actions.remove(group) },
        ]}
      />
    ),
  },
]

/** The groups of a job, with their number of subjects and their images. */
export const GroupsScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const params = { studioId, jobId }
  const list = useList()
  const query = useStaffQuery(calls.list, { params, query: list.query })
  const [edited, setEdited] = useState<Group | 'new' | null>(null)
  const remove = useStaffMutation(calls.remove)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions do not depend on the render
  const columns = useMemo(
    () =>
      columnsFor(job, {
        rename: setEdited,
        remove: async ({ id, name, subjectCount }) => {
          const message =
            subjectCount > 0 ? `${formatSubjectCount(subjectCount)} stay, in no group or in their others.` : ''
          if (!(await confirm({ title: `Remove “${name}”?`, message, confirmText: 'Remove', danger: true }))) return
          const removed = await remove.mutate({ params: { ...params, id } })
          if (removed.ok) toast(`“${name}” is gone`)
        },
      }),
    [studioId, jobId],
  )
  const mutate = (
    <Button icon={Plus} onClick={() => setEdited('new')}>
      New group
    </Button>
  )
  return (
    <StaffScreen
      title="Groups"
      trail={[{ label: 'Subjects', href: subjectsUrl(job) }]}
      lead={<p>Classes, teams: whoever is pictured together.</p>}
      actions={mutate}
    >
      <ListScreen
        label="Groups"
        searchPlaceholder="Name"
        list={list}
        query={query}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        empty={
          <EmptyState title="No groups yet" action={mutate}>
            <p>Make one, then select people in the list and put them into it. Group images are shown to all of them.</p>
          </EmptyState>
        }
      />
      {edited && <GroupNameDialog job={job} group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </StaffScreen>
  )
}
