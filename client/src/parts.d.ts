declare module "milsymbol-parts" {
  export const ms: unknown;
  export const std2525d: unknown;
}
