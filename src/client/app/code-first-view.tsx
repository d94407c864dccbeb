import CircleHelp from 'lucide-react/icons/circle-question-mark'
import layout from '#client/customer/shared/layout/layout.module.css'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { LandingStudio } from '#platform/landing.ts'
import { urls } from '#platform/urls.ts'
import { IconButton } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { LargeImage } from '../customer/packages/selection/large-image.tsx'
import selection from '../customer/packages/selection/select-package.module.css'
import { StudioAndJobLink } from './customer-layout/studio-and-job-link.tsx'

type CodeFirstViewProps = {
  studio: LandingStudio
  jobName: string
  subjectName: string
  image: Pick<Image, 'thumbnailUrl' | 'previewUrl' | 'width' | 'height'>
}

/**
 * What a parent sees of a child's packages before any script runs: the same header, name and large image, at the same
 * places. Only prerendered; nothing in it can be used.
 */
export const CodeFirstView = ({ studio, jobName, subjectName, image }: CodeFirstViewProps) => (
  <div className={layout.page}>
    <header className={classNames(layout.header, layout.withCart)}>
      <StudioAndJobLink href={urls.customerStudio({ studioSlug: studio.slug })} {...{ studio, jobName }} />
      <IconButton icon={CircleHelp} label="Help" />
      <p className={layout.status} />
    </header>
    <main className={layout.main}>
      <div className={selection.screen}>
        <div className={selection.subject}>
          <h1>{subjectName}</h1>
          <LargeImage image={image} alt="" />
        </div>
      </div>
    </main>
    <div className={layout.bottom} />
  </div>
)
