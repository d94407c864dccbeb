import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/images/image-lookups.ts'
import * as matching from '#contract/studio/images/image-matching.ts'
import * as replacement from '#contract/studio/images/image-replacement.ts'
import { maxUploadBytes } from '#domain/shared/file-size.ts'
import type { Deps } from '#server/deps.ts'
import { mountFormCalls } from '#server/http/forms/mount-form-calls.ts'
import { mount } from '#server/http/mount.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import type { UrlSigningDeps } from '#server/http/sign-url.ts'
import { jobExists } from '#server/jobs/store/find-job.ts'
import {
  convertImageType,
  deleteImage,
  type ImageChangeProblem,
  regenerateVariants,
  setPrimaryImage,
} from './change-image.ts'
import { acceptCutOut, rejectCutOut } from './cut-outs.ts'
import { findImageOwners } from './find-image-owners.ts'
import { readImageUsage } from './image-usage.ts'
import { readMatchRun, startMatchRun } from './match-runs.ts'
import { moveImagesTo, reorderImages, setImagesPublished } from './move-images.ts'
import { countImagesOf, type ImageKey, listImagesOfJob, readImage } from './read-images.ts'
import { bulkReplace, readReplacements, replaceImage } from './replace-image.ts'

type JobParams = { studioId: number; jobId: number; organizationId: number }

/** Runs an action on a job's images, if the job belongs to the studio and organization. */
const inJob = async <Result>(
  { db }: Deps,
  job: JobParams,
  action: () => Promise<Result>,
): Promise<Result | Problem<'not-found'>> => ((await jobExists(db, job)) ? await action() : problem('not-found'))

/** Changes an image. Returns the image, or the problem that prevented the change. */
const applyChange = async <ChangeProblem extends Problem = ImageChangeProblem>(
  deps: Deps & UrlSigningDeps,
  key: ImageKey & JobParams,
  change: () => Promise<ChangeProblem | undefined>,
) => inJob(deps, key, async () => (await change()) ?? (await readImage(deps, key)) ?? problem('not-found'))

/** The limits of one request that replaces images. The total allows twenty files of 25 MB. */
const replacementLimits = { files: 20, fileBytes: maxUploadBytes, allBytes: 500 * 1024 * 1024 }

const mountReadCalls = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.listImageLookups, ({ params: job, query, user }) =>
    inJob(deps, job, () => listImagesOfJob({ ...deps, user }, job, query)),
  )
  mount(app, deps, calls.countImageLookups, ({ params: job }) => inJob(deps, job, () => countImagesOf(deps, job)))
  mount(app, deps, matching.getMatchRun, ({ params: job }) =>
    inJob(deps, job, async () => ({ run: await readMatchRun(deps.db, job) })),
  )
  mount(app, deps, calls.getImageLookup, ({ params: key, user }) =>
    inJob(deps, key, async () => (await readImage({ ...deps, user }, key)) ?? problem('not-found')),
  )
  mount(app, deps, matching.findImageOwners, ({ params: job, query: { filter = '' } }) =>
    inJob(deps, job, () => findImageOwners(deps.db, job, filter)),
  )
  mount(app, deps, replacement.checkImageUsage, ({ params: job, body: { ImageIds } }) =>
    inJob(deps, job, () => readImageUsage(deps.db, job, ImageIds)),
  )
}

const mountChangeCalls = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.deleteImage, ({ params: key, query: { evenIfChosen }, user }) =>
    inJob(deps, key, async () => (await deleteImage(deps, { key, user, evenIfChosen: evenIfChosen === '1' })) ?? {}),
  )
  mount(app, deps, calls.convertImageType, ({ params: key, body, user }) =>
    applyChange({ ...deps, user }, key, () => convertImageType(deps, { key, user, ...body })),
  )
  mount(app, deps, calls.generateThumbnail, ({ params: key, user }) =>
    applyChange({ ...deps, user }, key, () => regenerateVariants(deps, key)),
  )
  mount(app, deps, calls.setPrimaryImage, ({ params: key, user }) =>
    applyChange({ ...deps, user }, key, () => setPrimaryImage(deps, key)),
  )
  mount(app, deps, replacement.decideCutOut, ({ params: key, body: { version, decision }, user }) =>
    applyChange({ ...deps, user }, key, () =>
      (decision === 'accept' ? acceptCutOut : rejectCutOut)(deps, { key, version, user }),
    ),
  )
  mount(app, deps, calls.moveImages, ({ params: job, body: input, user }) =>
    inJob(deps, job, () => moveImagesTo(deps, { job, user, input })),
  )
  mount(app, deps, calls.publishImages, ({ params: job, body: input, user }) =>
    inJob(deps, job, () => setImagesPublished(deps, { job, user, input })),
  )
  mount(app, deps, calls.patchImageOrder, ({ params: job, body }) =>
    inJob(deps, job, () => reorderImages(deps, job, body)),
  )
  mount(app, deps, matching.matchImages, ({ params: job, body: input, user }) =>
    inJob(deps, job, () => startMatchRun(deps, { job, user, input })),
  )
}

const mountReplaceCalls = (app: FastifyInstance, deps: Deps): Promise<void> =>
  mountFormCalls({ app, deps, limits: replacementLimits }, (mountForm) => {
    mountForm(replacement.replaceImage, ({ params: key, form, user }) =>
      applyChange({ ...deps, user }, key, async () => {
        const [file, ...otherFiles] = form.files
        if (!file || otherFiles.length > 0) return problem('refused', 'Choose one file')
        return await replaceImage(deps, { key, user, file })
      }),
    )
    mountForm(replacement.bulkReplaceImages, ({ params: job, form, user }) =>
      inJob(deps, job, async () => {
        const replacements = readReplacements(form)
        if (!replacements) return problem('refused', 'Specify which image each file replaces')
        return await bulkReplace(deps, { job, user, replacements })
      }),
    )
  })

/** Mounts staff's routes for image lookups (section 7). */
export const mountImageLookups = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  mountReadCalls(app, deps)
  mountChangeCalls(app, deps)
  await mountReplaceCalls(app, deps)
}
