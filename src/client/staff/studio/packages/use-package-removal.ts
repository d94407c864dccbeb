import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { deletePackage, getPackage, type PackageRow, putPackage } from '#contract/studio/package-sets.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastError } from '#ui/toast/toast.ts'
import { draftFromPackage, packageBody } from './editor/editor-draft.ts'

const removalMessage = 'If it was ever added to a cart or sold, it is archived instead, and carts and orders keep it.'

/** Removes packages after a confirmation, and restores archived packages. */
export const usePackageRemoval = (studioId: number) => {
  const removal = useStaffMutation(deletePackage)
  const replacement = useStaffMutation(putPackage)
  const paramsOf = ({ packageSetId, id }: PackageRow) => ({ studioId, packageSetId, id })
  const remove = async (row: PackageRow): Promise<void> => {
    const { name } = row
    if (!(await confirm({ title: `Remove “${name}”?`, message: removalMessage, confirmText: 'Remove', danger: true })))
      return
    const removed = await removal.mutate({ params: paramsOf(row) })
    if (removed.ok) toast(removed.data.outcome === 'archived' ? `“${name}” is archived` : `“${name}” was removed`)
  }
  const restore = async (row: PackageRow): Promise<void> => {
    const answer = await authorizedRequest(getPackage, { params: paramsOf(row) })
    if (!answer.ok) return toastError(answer.errors)
    const { version } = answer.data
    const body = { ...packageBody(draftFromPackage(answer.data)), version, isArchived: false }
    const restored = await replacement.mutate({ params: paramsOf(row), body })
    if (restored.ok) toast(`“${restored.data.content.name}” is offered again`, 'success')
  }
  return { remove, restore }
}
