import X from 'lucide-react/icons/x'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { groups as groupCalls } from '#contract/studio/groups.ts'
import type { StudioSubject } from '#contract/studio/subjects.ts'
import { toPage } from '#domain/shared/paging.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { subjectDisplayName } from './subject-format.ts'
import styles from './subjects.module.css'
import type { SubjectBulkEdits } from './use-subject-bulk-edits.ts'

type SubjectGroupsProps = { job: { studioId: number; jobId: number }; subject: StudioSubject; edits: SubjectBulkEdits }

/** The groups of a subject. Each change is saved at once and can be undone. */
export const SubjectGroups = ({ job: { studioId, jobId }, subject, edits }: SubjectGroupsProps) => {
  const all = toPage(useStaffQuery(groupCalls.list, { params: { studioId, jobId } }).data ?? []).resultItems
  const own = new Set(subject.groups.map(({ id }) => id))
  const others = all.filter(({ id }) => !own.has(id))
  const selected = { ids: [subject.id] }
  const name = subjectDisplayName(subject)
  const add = (groupId: number, group: string) =>
    edits.edit(selected, { do: 'add-to-group', groupId }, () => `${name} added to ${group}`)
  const takeOut = (groupId: number, group: string) =>
    edits.edit(selected, { do: 'remove-from-group', groupId }, () => `${name} taken out of ${group}`)
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
                label={`Take out of ${group.name}`}
                onClick={() => void takeOut(group.id, group.name)}
              />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Field label="Add to a group">
          <Select
            options={[
              { value: '', label: 'Choose a group' },
              ...others.map(({ id, name: label }) => ({ value: String(id), label })),
            ]}
            value=""
            onValue={(value) => {
              const group = others.find(({ id }) => String(id) === value)
              if (group) void add(group.id, group.name)
            }}
          />
        </Field>
      )}
    </div>
  )
}
