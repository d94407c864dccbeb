import { Link } from 'wouter'
import layout from '#client/customer/shared/layout/layout.module.css'
import { logoShowsName, StudioLogo } from '#client/customer/shared/studio/studio-logo.tsx'
import type { LogoShape } from '#contract/shapes/image-structs.ts'
import { classNames } from '#ui/class-names.ts'

type StudioAndJobLinkProps = {
  href: string
  /** The name for screen readers while no name is shown. */
  label?: string | undefined
  /** The name is empty until the studio can be shown. */
  studio: { name: string; logo: string | null; logoShape?: LogoShape | null | undefined }
  /** Undefined outside a job; empty until the job can be shown. */
  jobName: string | undefined
}

/** The studio and the job at the start of the header. A line is reserved for each name, so that they do not move. */
export const StudioAndJobLink = ({ href, label, studio, jobName }: StudioAndJobLinkProps) => {
  const isNamed = logoShowsName(studio)
  return (
    <Link href={href} className={classNames(layout.jobLink, isNamed && layout.withWordmark)} aria-label={label}>
      {studio.name && <StudioLogo studio={studio} />}
      <span className={layout.names}>
        {!isNamed && <span className={layout.studioName}>{studio.name}</span>}
        {jobName !== undefined && <span className={layout.jobName}>{jobName}</span>}
      </span>
    </Link>
  )
}
