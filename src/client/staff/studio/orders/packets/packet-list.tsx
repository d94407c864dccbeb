import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { getPacketFiles, listPackets, type PacketRow, postPacketRetry } from '#contract/studio/packets.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useBulkActions } from '../bulk/use-bulk-actions.ts'
import styles from '../job-orders.module.css'
import { formatFileSize, formatMoment, formatOrderCount } from '../order-format.ts'

/** Polling interval in milliseconds while a packet is being made. */
const refetchIntervalMs = 2_000

const isMaking = ({ state }: PacketRow): boolean => state === 'waiting' || state === 'making'

const packetStatus = ({ state, filesDone, filesTotal, error }: PacketRow): string => {
  if (state === 'failed') return error ?? 'The files could not be made'
  if (state === 'waiting') return 'Its files are made in a moment'
  if (state === 'making') return `${filesDone} of ${filesTotal} files made`
  return `${filesTotal} ${filesTotal === 1 ? 'file' : 'files'} ready for the lab`
}

type PacketProps = { job: JobParams; packet: PacketRow }

/** The file URLs expire, so they are requested when the dialog opens. */
const FilesDialog = ({ job: { studioId, jobId }, packet, onClose }: PacketProps & { onClose: () => void }) => {
  const { data, error: failed } = useStaffQuery(getPacketFiles, { params: { studioId, jobId, packetId: packet.id } })
  return (
    <Dialog open onClose={onClose} size="small" title={`Files of packet ${packet.id}`}>
      {failed && <p>{failed.errors.join(' ')}</p>}
      {!data && !failed && <Skeleton lines={3} />}
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

const Packet = ({ job, packet }: PacketProps) => {
  const { id, state, batchName, orderCount, begun, madeAt, madeBy } = packet
  const { timeZone } = useStudio()
  const [isOpen, setOpen] = useState(false)
  const again = useStaffMutation(postPacketRetry)
  const bulkActions = useBulkActions(job)
  const params = { studioId: job.studioId, jobId: job.jobId, packetId: id }
  const recall = async () => {
    const isSure = await confirm({
      title: `Take packet ${id} back?`,
      message: 'Its orders wait again where they waited, and its files are removed. Tell the lab if it has them.',
      confirmText: 'Take it back',
    })
    if (isSure) await bulkActions.recallOrders(id)
  }
  return (
    <li className={styles.packet} data-state={state}>
      <div className={styles.packetFacts}>
        <strong>
          Packet {id}
          {batchName && ` · ${batchName}`}
        </strong>
        <span className={styles.soft}>
          {formatOrderCount(orderCount)} · {formatMoment(madeAt, timeZone)}
          {madeBy && ` · ${madeBy}`}
        </span>
        <span className={state === 'failed' ? styles.wrong : undefined}>{packetStatus(packet)}</span>
        {isMaking(packet) && (
          <progress value={packet.filesDone} max={Math.max(packet.filesTotal, 1)} aria-label={`Packet ${id}`} />
        )}
      </div>
      <div className={styles.buttons}>
        {(state === 'ready' || state === 'sent') && (
          <Button variant="secondary" size="sm" icon={Download} onClick={() => setOpen(true)}>
            Files
          </Button>
        )}
        {state === 'failed' && (
          <Button size="sm" loading={again.busy} onClick={() => void again.mutate({ params, body: {} })}>
            Make it again
          </Button>
        )}
        {begun === 0 && (
          <Button variant="quiet" size="sm" loading={bulkActions.busy} onClick={() => void recall()}>
            Take back
          </Button>
        )}
      </div>
      {isOpen && <FilesDialog job={job} packet={packet} onClose={() => setOpen(false)} />}
    </li>
  )
}

/** Number of packets shown at first. */
const shownAtFirst = 5

/** Packets for the lab, newest first. Polls while one is being made. */
export const PacketList = ({ job }: { job: JobParams }) => {
  const [pageSize, setPageSize] = useState(shownAtFirst)
  const [isMade, setMade] = useState(false)
  const { data } = useStaffQuery(listPackets, {
    params: { studioId: job.studioId, jobId: job.jobId },
    query: { currentPage: 1, pageSize },
    refetchIntervalMs: isMade ? undefined : refetchIntervalMs,
  })
  const page = data && toPage<PacketRow>(data)
  const areMade = page !== undefined && !page.resultItems.some(isMaking)
  if (areMade !== isMade) setMade(areMade)
  if (!page || page.totalRecords === 0) return null
  return (
    <section aria-labelledby="packets" className={styles.part}>
      <h2 id="packets">Packets</h2>
      <ul className={styles.packets}>
        {page.resultItems.map((packet) => (
          <Packet key={packet.id} job={job} packet={packet} />
        ))}
      </ul>
      {page.resultItems.length < page.totalRecords && (
        <Button variant="quiet" size="sm" onClick={() => setPageSize(100)}>
          Show all {page.totalRecords}
        </Button>
      )}
    </section>
  )
}
