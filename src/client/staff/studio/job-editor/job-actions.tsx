import Ellipsis from 'lucide-react/icons/ellipsis'
import Eye from 'lucide-react/icons/eye'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import {
  archiveJob,
  deleteJob,
  getStaffJob,
  publishJob,
  restoreJob,
  type StaffJob,
  unpublishJob,
} from '#contract/studio/jobs.ts'
import type { CallResult } from '#local/transport/request.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { type ConfirmRequest, confirm } from '#ui/dialog/confirm.ts'
import { Menu } from '#ui/popover/menu.tsx'
import type { MenuItem } from '#ui/popover/menu-entry.tsx'
import { toast } from '#ui/toast/toast.ts'
import { DuplicateJobDialog } from './duplicate-job-dialog.tsx'

type JobActionsProps = { params: JobParams; job: StaffJob }

const unpublishQuestion: ConfirmRequest = {
  title: 'Take this event offline?',
  message: 'Parents cannot open it until it is published again. Their orders are kept.',
  confirmText: 'Take it offline',
}

const archiveQuestion: ConfirmRequest = {
  title: 'Archive this event?',
  message: 'Ordering ends. You can restore everything.',
  confirmText: 'Archive',
}

const deleteQuestion = (name: string): ConfirmRequest => ({
  title: `Delete ${name}?`,
  message: 'Its people, images and settings are deleted for good.',
  confirmText: 'Delete',
  danger: true,
})

const useJobMutations = ({ params: { studioId, jobId }, job }: JobActionsProps) => {
  const callParams = { studioId, jobId }
  const publish = useStaffMutation(publishJob)
  const unpublish = useStaffMutation(unpublishJob)
  const archive = useStaffMutation(archiveJob)
  const restore = useStaffMutation(restoreJob)
  const input = { params: callParams, body: { version: job.settingsVersion } }
  const toastSuccess = (answer: CallResult<StaffJob>, message: string) => answer.ok && toast(message, 'success')
  return {
    busy: publish.busy || unpublish.busy || archive.busy || restore.busy,
    publish: async () => {
      // The shown job may be older than what its user has just changed on another screen.
      const current = await authorizedRequest(getStaffJob, { params: callParams })
      const { settingsVersion } = current.ok ? current.data : job
      toastSuccess(await publish.mutate({ params: callParams, body: { version: settingsVersion } }), 'Published')
    },
    unpublish: async () => (await confirm(unpublishQuestion)) && toastSuccess(await unpublish.mutate(input), 'Offline'),
    archive: async () => (await confirm(archiveQuestion)) && toastSuccess(await archive.mutate(input), 'Archived'),
    restore: async () => toastSuccess(await restore.mutate(input), 'Restored'),
  }
}

/** Actions on a job: view, publish, duplicate, take offline, archive, restore and delete. */
export const JobActions = ({ params, job }: JobActionsProps) => {
  const [, navigate] = useLocation()
  const [isDuplicating, setDuplicating] = useState(false)
  const { busy, publish, unpublish, archive, restore } = useJobMutations({ params, job })
  const remove = useStaffMutation(deleteJob)
  const { published, archived } = job.availability
  const deleteAfterConfirmation = async () => {
    if (!(await confirm(deleteQuestion(job.name)))) return
    const { studioId, jobId } = params
    const answer = await remove.mutate({ params: { studioId, jobId } })
    if (answer.ok) navigate(staffUrls.studio(studioId, 'jobs'))
  }
  const items: MenuItem[] = [
    { label: 'Duplicate', onSelect: () => setDuplicating(true) },
    ...(published && !archived ? [{ label: 'Take offline', onSelect: () => void unpublish() }] : []),
    archived
      ? { label: 'Restore', onSelect: () => void restore() }
      : { label: 'Archive', onSelect: () => void archive() },
    ...(published || job.hasOrders
      ? []
      : [{ label: 'Delete', danger: true, onSelect: () => void deleteAfterConfirmation() }]),
  ]
  return (
    <>
      {job.parentPath !== null && published && !archived && (
        <ButtonLink variant="secondary" icon={Eye} href={job.parentPath} target="_blank">
          View as a parent
        </ButtonLink>
      )}
      {!published && !archived && (
        <Button loading={busy} onClick={() => void publish()}>
          Publish
        </Button>
      )}
      <Menu icon={Ellipsis} label="More" align="end" variant="secondary" items={items} />
      <DuplicateJobDialog params={params} job={job} open={isDuplicating} onClose={() => setDuplicating(false)} />
    </>
  )
}
