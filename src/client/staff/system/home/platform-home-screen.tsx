import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, formatMoment } from '#client/staff/kit/screen/format.ts'
import { GridSection } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getPlatformHome, type PlatformHome } from '#contract/system/platform-home.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatFileSize } from '#domain/shared/file-size.ts'
import styles from './platform-home-screen.module.css'

/** How often the figures are read while the screen is visible. */
const refreshMs = 15_000

type TileProps = {
  label: string
  /** Undefined if the server could not read the figure. */
  figure: string | undefined
  detail?: ReactNode
  href?: string
  /** How many things have to be done. */
  problems?: number
}

const Tile = ({ label, figure, detail, href, problems }: TileProps) => {
  const content = (
    <>
      <span>{label}</span>
      <strong
        className="tabular"
        data-attention={(problems ?? 0) > 0 || undefined}
        data-zero={problems === 0 || undefined}
      >
        {figure ?? '–'}
      </strong>
      <small>{figure === undefined ? 'Could not be read. It is tried again.' : detail}</small>
    </>
  )
  return (
    <li>
      {href === undefined ? (
        <div className={styles.tile}>{content}</div>
      ) : (
        <Link href={href} className={styles.tile}>
          {content}
        </Link>
      )}
    </li>
  )
}

/** A figure that should be zero. */
const problemTile = (count: number | undefined): Pick<TileProps, 'figure' | 'problems'> => ({
  figure: count === undefined ? undefined : formatCount(count),
  ...(count !== undefined && { problems: count }),
})

const Business = ({ home: { orders, revenue } }: { home: PlatformHome }) => (
  <GridSection title="Today">
    <ul className={styles.tiles}>
      <Tile
        label="Orders"
        figure={orders ? formatCount(orders.today) : undefined}
        detail={orders && `${formatCount(orders.lastWeek)} by this time last week`}
        href={staffUrls.admin('reports')}
      />
      <Tile
        label="Revenue"
        figure={revenue ? formatMoney(revenue.today) : undefined}
        detail={revenue && `${formatMoney(revenue.lastWeek)} by this time last week`}
        href={staffUrls.admin('reports')}
      />
    </ul>
  </GridSection>
)

const Waiting = ({ home: { waiting, failed } }: { home: PlatformHome }) => (
  <GridSection title="To do">
    <ul className={styles.tiles}>
      <Tile
        label="Verification"
        {...problemTile(waiting?.studios)}
        detail="studios are waiting"
        href={staffUrls.admin('studios?type=waiting')}
      />
      <Tile
        label="Order errors"
        {...problemTile(waiting?.orderErrors)}
        detail="not resolved"
        href={staffUrls.admin('system/order-errors')}
      />
      <Tile
        label="Failed jobs"
        {...problemTile(waiting?.failedJobs)}
        detail="in the background"
        href={staffUrls.admin('system/order-errors?kind=background-job')}
      />
      <Tile
        label="Paused studios"
        {...problemTile(waiting?.pausedStudios)}
        detail="images wait"
        href={staffUrls.admin('system/galleries-processing')}
      />
      <Tile
        label="Emails"
        {...problemTile(failed?.emails)}
        detail="not delivered in seven days"
        href={staffUrls.admin('system/sendgrid-logs?state=failed')}
      />
      <Tile
        label="Tax requests"
        {...problemTile(failed?.taxCalls)}
        detail="failed in seven days"
        href={staffUrls.admin('system/vertex-logs?state=failed')}
      />
    </ul>
  </GridSection>
)

const Machines = ({ home: { storage, version, servers } }: { home: PlatformHome }) => (
  <GridSection title="System">
    <ul className={styles.tiles}>
      <Tile
        label="Servers"
        figure={servers ? formatCount(servers.length) : undefined}
        detail={servers?.map(({ name, since }) => (
          <span key={name}>
            {name}, since {formatMoment(since, undefined)}
          </span>
        ))}
      />
      <Tile label="Disk" figure={storage ? formatFileSize(storage.freeBytes) : undefined} detail="free" />
      <Tile label="Database" figure={storage ? formatFileSize(storage.databaseBytes) : undefined} detail="in use" />
      <Tile
        label="Version"
        figure={version?.build.slice(0, 7)}
        detail={version && `database at ${version.newest}, migration ${formatCount(version.migrations)}`}
      />
    </ul>
  </GridSection>
)

/** The administrators' home: the platform's health at a glance, refreshed while it is visible. */
export const PlatformHomeScreen = () => {
  const query = useStaffQuery(getPlatformHome, { refetchIntervalMs: refreshMs })
  return (
    <StaffScreen title="Home">
      <QueryBoundary query={query}>
        {(home) => (
          <div className={styles.home}>
            <Business home={home} />
            <Waiting home={home} />
            <Machines home={home} />
          </div>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}
