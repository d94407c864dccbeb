import { useState } from 'react'
import type { Group } from '#contract/studio/groups.ts'
import type { SubjectEdit } from '#contract/studio/subjects.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import styles from './subjects.module.css'

type ChangeGroupDialogProps = {
  groups: readonly Group[]
  busy: boolean
  onRun: (edit: SubjectEdit, toMessage: (countAsText: string) => string) => Promise<unknown>
  onClose: () => void
}

const groupActions = [
  { value: 'move-to-group', label: 'Move to this group', toMessage: (group: string) => `moved to ${group}` },
  { value: 'add-to-group', label: 'Add to this group', toMessage: (group: string) => `added to ${group}` },
  {
    value: 'remove-from-group',
    label: 'Remove from this group',
    toMessage: (group: string) => `removed from ${group}`,
  },
] as const

/** Moves the selected subjects to a group, adds them to it, or removes them from it. */
export const ChangeGroupDialog = ({ groups, busy, onRun, onClose }: ChangeGroupDialogProps) => {
  const [action, setAction] = useState<(typeof groupActions)[number]>(groupActions[0])
  const [groupId, setGroupId] = useState(String(groups[0]?.id ?? ''))
  const group = groups.find(({ id }) => String(id) === groupId)
  const runAction = () =>
    group &&
    onRun({ do: action.value, groupId: group.id }, (countAsText) => `${countAsText} ${action.toMessage(group.name)}`)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Groups"
      size="small"
      actions={
        <Button loading={busy} disabled={!group} onClick={() => void runAction()}>
          {action.label}
        </Button>
      }
    >
      {groups.length === 0 ? (
        <p>This job has no groups yet. Create one under Groups first.</p>
      ) : (
        <div className={styles.stack}>
          <Field label="What to do">
            <Select
              options={groupActions}
              value={action.value}
              onValue={(value) =>
                setAction(groupActions.find((groupAction) => groupAction.value === value) ?? groupActions[0])
              }
            />
          </Field>
          <Field label="Group">
            <Select
              options={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={groupId}
              onValue={setGroupId}
            />
          </Field>
        </div>
      )}
    </Dialog>
  )
}
