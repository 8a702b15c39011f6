/** What stands open on paper: all that belongs to a finding. The cases would say it again, for each that has the same cause. */
export const OPEN_ON_PAPER = ':is(#failures,#warnings,#standing,#waived) details';

/** On paper: no controls, nothing that scrolls, evidence unfolded, nothing torn apart that belongs together. */
export const PRINT_STYLE = `
@media print{
:root{--page:#fff;--sunk:#f4f5f7}
@page{margin:14mm}
body{display:block;font-size:10.5pt;background:#fff}
.skip,.top button,.contents,.filters,.copy,.stripe+.note{display:none!important}
.filtered .filters{display:block!important;border:0;padding:0;position:static;box-shadow:none}
.filtered .filters>:not(#matches){display:none}
main,.top,footer{max-width:none;padding:0}
.cell,.medal,.dot,mark,.stripe,.timeline,svg{-webkit-print-color-adjust:exact;print-color-adjust:exact}
pre,.scroll{max-height:none;overflow:visible}
a{color:inherit;text-decoration:none}
${OPEN_ON_PAPER}::details-content{content-visibility:visible;display:block;height:auto}
.evidence>summary{display:none}
@supports selector(::details-content){.whole>summary,:has(+.whole){display:none}}
.finding header,.verdict,.reason,.timeline,.coverage tr,.card,.facts>div{break-inside:avoid}
h2,h3{break-after:avoid}
.sides{grid-template-columns:1fr 1fr}
}
`;
