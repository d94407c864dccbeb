import { fill, type Hair, type HairBrief, strands } from './hair-strands.ts'
import { shape } from './ink.ts'

const sweep = (brief: HairBrief): Hair => {
  const f = brief.yaw * 16
  const d = `M-103 2C-116-48-116-104-70-138C-34-166 40-166 76-138C116-104 114-48 103 2C99-20 95-38 86-54C64-62 20-66 ${-8 + f}-96C${-28 + f}-74-60-62-88-50C-96-36-100-18-103 2Z`
  return {
    back: '',
    front:
      shape(d, fill(brief.id)) +
      strands(
        brief,
        d,
        `M${-4 + f}-112C20-92 56-84 84-78M-88-84C-76-112-50-134-20-142`,
        `M${-8 + f}-98C-10-120 0-136 20-150M${-8 + f}-98C24-74 60-70 90-62M-14-100C-40-84-66-76-92-66M10-112C40-98 70-96 98-92`,
      ),
  }
}

const crop = (brief: HairBrief): Hair => {
  const f = brief.yaw * 10
  const d = `M-103 0C-114-52-108-100-74-126C-40-150 40-150 74-126C108-100 114-52 103 0C99-26 96-46 88-64C${74 + f}-84 ${46 + f}-90 ${f}-90C${-46 + f}-90 ${-74 + f}-84-88-64C-96-46-99-26-103 0Z`
  return {
    back: '',
    front:
      shape(d, fill(brief.id)) +
      strands(brief, d, 'M-64-108C-40-130 0-136 30-130', 'M-92-40C-94-60-88-78-78-88M92-40C94-60 88-78 78-88'),
  }
}

const spiky = (brief: HairBrief): Hair => {
  const f = brief.yaw * 16
  const d = `M-103 2C-118-44-118-96-92-124L-98-148L-66-142L-58-170L-26-150L-4-178L20-152L50-172L60-142L94-150L90-122C118-94 116-44 103 2C100-20 96-38 88-54L${66 + f}-66L${52 + f}-50L${34 + f}-74L${14 + f}-52L${-6 + f}-78L${-28 + f}-54L${-46 + f}-74L${-64 + f}-52L-86-58C-96-38-100-20-103 2Z`
  return {
    back: '',
    front:
      `<path d="${d}" fill="${fill(brief.id)}" stroke="${brief.look.hair.base}" stroke-width="6" stroke-linejoin="round"/>` +
      strands(
        brief,
        d,
        'M-70-104L-52-140M-30-112L-18-146M14-112L22-146M54-106L58-138',
        'M-48-84L-40-116M-6-88L-2-120M36-84L40-114M72-76L80-108M-80-72L-84-104',
      ),
  }
}

const tousled = (brief: HairBrief): Hair => {
  const f = brief.yaw * 16
  const d = `M-104 14C-126-30-126-98-94-126C-84-156-48-158-34-160C-10-178 24-170 38-162C66-162 92-146 98-122C124-96 126-30 104 14C102-8 98-26 90-42C${82 + f}-58 ${72 + f}-66 ${60 + f}-72C${62 + f}-58 ${54 + f}-48 ${44 + f}-44C${40 + f}-60 ${28 + f}-70 ${14 + f}-76C${14 + f}-60 ${2 + f}-48 ${-12 + f}-44C${-14 + f}-58 ${-22 + f}-66 ${-32 + f}-70C${-36 + f}-56 ${-52 + f}-42 ${-74 + f}-38C-90-32-100-8-104 14Z`
  return {
    back: shape('M-100-40C-118 20-112 66-96 84L96 84C112 66 118 20 100-40Z', brief.look.hair.dark),
    front:
      shape(d, fill(brief.id)) +
      strands(
        brief,
        d,
        'M-86-92C-72-126-44-144-14-148M30-142C58-136 78-116 88-92',
        `M${14 + f}-76C12-104 24-130 46-144M${-32 + f}-70C-44-92-44-120-28-142M${60 + f}-72C76-88 80-108 72-126M-78-44C-96-64-98-96-84-116`,
      ),
  }
}

const parted = (brief: HairBrief): Hair => {
  const f = brief.yaw * 16
  const d = `M-104 8C-120-44-116-104-70-136C-40-158 46-160 78-134C116-104 118-44 104 8C102-14 98-32 90-46C60-52 ${4 + f}-62 ${-44 + f}-104C${-52 + f}-82-72-64-90-50C-98-34-102-12-104 8Z`
  return {
    back: '',
    front:
      shape(d, fill(brief.id)) +
      strands(
        brief,
        d,
        `M${-30 + f}-112C10-82 54-74 86-70M-92-76C-86-100-74-116-58-126`,
        `M${-44 + f}-104C-42-120-36-136-24-148M${-40 + f}-102C-4-70 50-60 92-58M-20-116C16-96 60-90 98-88`,
      ),
  }
}

/** Short straight hair by its name. */
export const shortHair = { sweep, crop, spiky, tousled, parted }
