import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { listHosts } from '#contract/studio/hosts.ts'
import { toPage } from '#domain/shared/paging.ts'
import { HostProof } from './host-proof.tsx'
import styles from './hosts-panel.module.css'

/** The studio's host names, with instructions to prove the ownership of each. */
export const HostsPanel = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(listHosts, { params: { studioId } })
  return (
    <Panel title="Host names" lead="A host name opens your page once you prove it’s yours.">
      <QueryBoundary query={query}>
        {(hosts) => (
          <ul className={styles.list}>
            {toPage(hosts).resultItems.map((host) => (
              <HostProof key={host.hostName} studioId={studioId} host={host} />
            ))}
          </ul>
        )}
      </QueryBoundary>
    </Panel>
  )
}
