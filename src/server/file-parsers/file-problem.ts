import { type Problem, problem } from '../http/problem.ts'
import type { ImageRejection } from '../images/inspection/image-rejection.ts'

/** Seconds until a file that found all threads busy may be sent again. */
const retryAfterSeconds = 60

/** The response for an image that was not accepted: permanently, or for now (429), which is never recorded for a replay. */
export const problemOfFile = (
  fileName: string,
  { problem: name, message: sentence }: ImageRejection,
  fields?: Record<string, string[]>,
): Problem<'refused' | 'slow-down'> => {
  const sentences = fileName ? `${fileName}: ${sentence}` : sentence
  return name === 'busy'
    ? problem('slow-down', sentences, { retryAfterSeconds })
    : problem('refused', sentences, { fields })
}
