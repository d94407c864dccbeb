import X from 'lucide-react/icons/x'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { subjectDisplayName } from '#client/staff/kit/screen/format.ts'
import { groups as groupCalls } from '#contract/studio/groups.ts'
import type { StudioSubject } from '#contract/studio/subjects.ts'
import { toPage } from '#domain/shared/paging.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import styles from './subjects.module.css'
import type { SubjectBulkEdits } from './use-subject-bulk-edits.ts'

type SubjectGroupsProps = { job: { studioId: number; jobId: number }; subject: StudioSubject; edits: SubjectBulkEdits }

/** The groups of a subject. Each change is saved at once and can be undone. */
export const SubjectGroups = ({ job: { studioId, jobId }, subject, edits }: SubjectGroupsProps) => {
  const groups = toPage(useStaffQuery(groupCalls.list, { params: { studioId, jobId } }).data ?? []).resultItems
  const subjectGroupIds = new Set(subject.groups.map(({ id }) => id))
  const otherGroups = groups.filter(({ id }) => !subjectGroupIds.has(id))
  const selected = { ids: [subject.id] }
  const name = subjectDisplayName(subject)
  const add = (groupId: number, group: string) =>
    edits.edit(selected, { do: 'add-to-group', groupId }, () => `${name} added to ${group}`)
  const remove = (groupId: number, group: string) =>
    edits.edit(selected, { do: 'remove-from-group', groupId }, () => `${name} removed from ${group}`)
  return (
    <div className={styles.stack}>
      {subject.groups.length === 0 ? (
        <p className={styles.soft}>In no group</p>
      ) : (
        <ul className={styles.chips}>
          {subject.groups.map((group) => (
            <li key={group.id} className={styles.chip}>
              {group.name}
              <IconButton
                icon={X}
                size="sm"
                label={`Remove from ${group.name}`}
                onClick={() => void remove(group.id, group.name)}
              />
            </li>
          ))}
        </ul>
      )}
      {otherGroups.length > 0 && (
        <Field label="Add to a group">
          <Select
            options={[
              { value: '', label: 'Choose a group' },
              ...otherGroups.map(({ id, name: label }) => ({ value: String(id), label })),
            ]}
            value=""
            onValue={(value) => {
              const group = otherGroups.find(({ id }) => String(id) === value)
              if (group) void add(group.id, group.name)
            }}
          />
        </Field>
      )}
    </div>
  )
}
