declare module "virtual:nato-symbols" {
  const drawings: { readonly [code: string]: { readonly viewBox: string; readonly body: string; readonly ratio: number } };
  export default drawings;
}
