import { listHosts } from '../../../contract/studio/hosts.ts'
import { pageIn } from '../../../domain/paging.ts'
import { Answered } from '../../staff/answered.tsx'
import { Panel } from '../../staff/panel.tsx'
import { useAnswer } from '../../staff/use-answer.ts'
import { HostProof } from './host-proof.tsx'
import styles from './hosts-panel.module.css'

/** The studio's own host names: which open its page already, and how to prove the others. */
export const HostsPanel = ({ studioId }: { studioId: number }) => {
  const reading = useAnswer(listHosts, { params: { studioId } })
  return (
    <Panel title="Host names" lead="A host name opens your page after you have shown that it is yours.">
      <Answered reading={reading}>
        {(hosts) => (
          <ul className={styles.list}>
            {pageIn(hosts).resultItems.map((host) => (
              <HostProof key={host.hostName} studioId={studioId} host={host} />
            ))}
          </ul>
        )}
      </Answered>
    </Panel>
  )
}
