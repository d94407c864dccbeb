import { useLocation } from 'wouter'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import {
  deletePlatformWorkflow,
  type PlatformWorkflow,
  postPlatformWorkflow,
  putPlatformWorkflow,
} from '#contract/system/platform-workflows.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import type { MenuItem } from '#ui/popover/menu-entry.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'

export const workflowsUrl = staffUrls.admin('workflows')
export const workflowUrl = (id: number | 'new'): string => `${workflowsUrl}/${id}`

/** Shown with the server's reasons when a workflow cannot be deleted (section 8). */
const deleteFailedMessage = (id: number): string => `Failed to delete workflow with ID ${id}`

/** The actions for a workflow besides editing it, as items of a menu. */
export const useWorkflowActions = () => {
  const [, navigate] = useLocation()
  const post = useStaffMutation(postPlatformWorkflow)
  const put = useStaffMutation(putPlatformWorkflow)
  const deletion = useStaffMutation(deletePlatformWorkflow)
  const duplicate = async ({ name, steps }: PlatformWorkflow) => {
    const copied = await post.mutate({ body: { name: `Copy of ${name}`.slice(0, 200), steps } })
    if (copied.ok) navigate(workflowUrl(copied.data.id))
  }
  const restore = async ({ id, name, steps, version }: PlatformWorkflow) => {
    const restored = await put.mutate({ params: { id }, body: { name, steps, version, isArchived: false } })
    if (restored.ok) toast(`“${name}” can be chosen again`, 'success')
  }
  const remove = async ({ id, name }: PlatformWorkflow) => {
    const message = 'If a job has it, it is archived instead. Jobs keep their copy.'
    if (!(await confirm({ title: `Remove “${name}”?`, message, confirmText: 'Remove', danger: true }))) return
    const removed = await deletion.mutate({ params: { id } }, { onError: 'silent' })
    if (!removed.ok) return toastError([deleteFailedMessage(id), ...removed.errors])
    toast(removed.data.outcome === 'archived' ? `“${name}” is archived` : `“${name}” was removed`)
    navigate(workflowsUrl)
  }
  return (workflow: PlatformWorkflow): readonly (MenuItem | 'separator')[] => [
    { label: 'Edit', href: workflowUrl(workflow.id) },
    { label: 'Duplicate', onSelect: () => void duplicate(workflow) },
    'separator',
    workflow.isArchived
      ? { label: 'Restore', onSelect: () => void restore(workflow) }
      : { label: 'Remove', danger: true, onSelect: () => void remove(workflow) },
  ]
}
