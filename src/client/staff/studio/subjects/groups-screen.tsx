import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Link } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, staffUrls, subjectsUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { formatSubjectCount } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type Group, groups as groupCalls } from '#contract/studio/groups.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import { GroupNameDialog } from './group-name-dialog.tsx'
import styles from './subjects.module.css'

/** Limit of thumbnails per row. */
const maxThumbnails = 5

const GroupImages = ({ job, group: { id: groupId, images, imageCount } }: { job: JobParams; group: Group }) => {
  const thumbnails = images.filter(({ thumbnailUrl }) => thumbnailUrl !== null).slice(0, maxThumbnails)
  const imagesUrl = `${staffUrls.job(job, 'images')}?groupId=${groupId}`
  if (imageCount === 0) return <Link href={imagesUrl}>Upload images</Link>
  return (
    <span className={styles.nameCell}>
      <span className={styles.thumbnails}>
        {thumbnails.map(({ id, name, thumbnailUrl, previewUrl }) => (
          <a key={id} href={previewUrl ?? undefined} target="_blank" rel="noreferrer">
            <img className={styles.thumbnail} src={thumbnailUrl ?? undefined} alt={name} loading="lazy" />
          </a>
        ))}
      </span>
      <Link href={imagesUrl}>{imageCount === 1 ? '1 image' : `${imageCount} images`}</Link>
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
      <span className={styles.nameCell}>
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
        label={`Actions for ${group.name}`}
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
  const query = useStaffQuery(groupCalls.list, { params, query: list.query })
  const [editedGroup, setEditedGroup] = useState<Group | 'new' | null>(null)
  const remove = useStaffMutation(groupCalls.remove)
  const columns = columnsFor(job, {
    rename: setEditedGroup,
    remove: async ({ id, name, subjectCount }) => {
      const message =
        subjectCount > 0 ? `${formatSubjectCount(subjectCount)} stay, in no group or in their others.` : ''
      if (!(await confirm({ title: `Remove “${name}”?`, message, confirmText: 'Remove', danger: true }))) return
      const removed = await remove.mutate({ params: { ...params, id } })
      if (removed.ok) toast(`“${name}” was removed`)
    },
  })
  const addButton = (
    <Button icon={Plus} onClick={() => setEditedGroup('new')}>
      New group
    </Button>
  )
  return (
    <StaffScreen
      title="Groups"
      trail={[{ label: 'Subjects', href: subjectsUrl(job) }]}
      lead={<p>Classes and teams that are photographed together.</p>}
      actions={addButton}
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
          <EmptyState title="No groups yet" action={addButton}>
            <p>Create one, then select people in the list and add them. Everyone in a group sees its images.</p>
          </EmptyState>
        }
      />
      {editedGroup && (
        <GroupNameDialog
          job={job}
          group={editedGroup === 'new' ? null : editedGroup}
          onClose={() => setEditedGroup(null)}
        />
      )}
    </StaffScreen>
  )
}
