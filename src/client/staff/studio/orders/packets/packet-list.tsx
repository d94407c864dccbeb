import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { MadeFilesItem, MadeFilesList } from '#client/staff/kit/download/made-files.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatOrderCount } from '#client/staff/kit/screen/format.ts'
import { getPacketFiles, listPackets, type PacketRow, retryPacket } from '#contract/studio/packets.ts'
import { formatFileSize } from '#domain/shared/file-size.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useBulkActions } from '../bulk/use-bulk-actions.ts'
import styles from '../job-orders.module.css'

const packetStatus = ({ state, filesDone, filesTotal, error }: PacketRow): string => {
  if (state === 'failed') return error ?? 'The files could not be made'
  if (state === 'waiting') return 'Its files will be ready in a moment'
  if (state === 'making') return `${filesDone} of ${filesTotal} files made`
  return `${filesTotal} ${filesTotal === 1 ? 'file' : 'files'} ready for the lab`
}

type PacketProps = { job: JobParams; packet: PacketRow }

/** Links to the files of a packet. The URLs expire, so they are requested when the dialog opens. */
const FilesDialog = ({ job: { studioId, jobId }, packet, onClose }: PacketProps & { onClose: () => void }) => {
  const { data, error: failure } = useStaffQuery(getPacketFiles, { params: { studioId, jobId, packetId: packet.id } })
  return (
    <Dialog open onClose={onClose} size="small" title={`Files of packet ${packet.id}`}>
      {failure && <p>{failure.errors.join(' ')}</p>}
      {!data && !failure && <Skeleton lines={3} />}
      {data && (
        <ul className={styles.files}>
          <li>
            <a href={data.zipUrl} download>
              All print files and lists (ZIP)
            </a>
            <small className={styles.soft}>
              {data.fileCount} {data.fileCount === 1 ? 'print' : 'prints'}, {formatFileSize(data.bytes)}
            </small>
          </li>
          <li>
            <a href={data.csvUrl} download>
              The list as a table (CSV)
            </a>
          </li>
          <li>
            <a href={data.jsonUrl} download>
              The list for programs (JSON)
            </a>
          </li>
        </ul>
      )}
    </Dialog>
  )
}

const PacketItem = ({ job, packet }: PacketProps) => {
  const { id, state, batchName, orderCount, begun } = packet
  const [isFilesDialogOpen, setFilesDialogOpen] = useState(false)
  const retry = useStaffMutation(retryPacket)
  const bulkActions = useBulkActions(job)
  const params = { studioId: job.studioId, jobId: job.jobId, packetId: id }
  const recall = async () => {
    const isSure = await confirm({
      title: `Recall packet ${id}?`,
      message: 'Its orders return to their lists, and its files are removed. Tell the lab if it has them.',
      confirmText: 'Recall it',
    })
    if (isSure) await bulkActions.recallOrders(id)
  }
  return (
    <MadeFilesItem
      files={packet}
      title={batchName ? `Packet ${id} · ${batchName}` : `Packet ${id}`}
      detail={formatOrderCount(orderCount)}
      status={packetStatus(packet)}
      progressLabel={`Packet ${id}`}
    >
      {(state === 'ready' || state === 'sent') && (
        <Button variant="secondary" size="sm" icon={Download} onClick={() => setFilesDialogOpen(true)}>
          Files
        </Button>
      )}
      {state === 'failed' && (
        <Button size="sm" loading={retry.busy} onClick={() => void retry.mutate({ params, body: {} })}>
          Retry
        </Button>
      )}
      {begun === 0 && (
        <Button variant="quiet" size="sm" loading={bulkActions.busy} onClick={() => void recall()}>
          Recall
        </Button>
      )}
      {isFilesDialogOpen && <FilesDialog job={job} packet={packet} onClose={() => setFilesDialogOpen(false)} />}
    </MadeFilesItem>
  )
}

/** Packets for the lab, newest first. */
export const PacketList = ({ job }: { job: JobParams }) => (
  <MadeFilesList heading="Packets" call={listPackets} params={{ studioId: job.studioId, jobId: job.jobId }}>
    {(packet) => <PacketItem key={packet.id} job={job} packet={packet} />}
  </MadeFilesList>
)
