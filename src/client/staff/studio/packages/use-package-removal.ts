import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { deletePackage, getPackage, type PackageRow, putPackage } from '#contract/studio/package-sets.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastError } from '#ui/toast/toast.ts'
import { draftFromPackage, packageBody } from './editor/editor-draft.ts'

const message = 'What is in carts or was ordered stays as it is; then the package is kept in the archive.'

/** Deletes a package after a confirmation, and restores archived ones. */
export const usePackageRemoval = (studioId: number) => {
  const removal = useStaffMutation(deletePackage)
  const replacement = useStaffMutation(putPackage)
  const paramsOf = ({ packageSetId, id }: PackageRow) => ({ studioId, packageSetId, id })
  const remove = async (row: PackageRow): Promise<void> => {
    const { name } = row
    if (!(await confirm({ title: `Remove “${name}”?`, message, confirmText: 'Remove', danger: true }))) return
    const gone = await removal.mutate({ params: paramsOf(row) })
    if (gone.ok) toast(gone.data.outcome === 'archived' ? `“${name}” is in the archive now` : `“${name}” is gone`)
  }
  const restore = async (row: PackageRow): Promise<void> => {
    const whole = await authorizedRequest(getPackage, { params: paramsOf(row) })
    if (!whole.ok) return toastError(whole.errors)
    const { version } = whole.data
    const body = { ...packageBody(draftFromPackage(whole.data)), version, isArchived: false }
    const back = await replacement.mutate({ params: paramsOf(row), body })
    if (back.ok) toast(`“${back.data.content.name}” is on offer again`, 'success')
  }
  return { remove, restore }
}
